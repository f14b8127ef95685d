export { stopSharedN8n as default } from './support/sharedN8n';
