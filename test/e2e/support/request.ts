export * from '../../support/request';
