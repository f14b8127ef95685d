import { enterHomepage } from './publish/homepage';
import { runMain } from './shared/main';
import { projectRoot } from './shared/root';

/** `npm run publish:homepage`: the links of nodes and credentials lead to the homepage of `package.json`. */
runMain(() => enterHomepage(projectRoot));
