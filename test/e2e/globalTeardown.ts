import { stopSharedN8n } from './support/sharedN8n';

export default stopSharedN8n;
