import { runMain } from './shared/main';
import { start } from './start/start';

runMain(() => start('npm start'));
