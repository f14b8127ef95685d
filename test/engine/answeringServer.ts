export * from '../support/answeringServer';
