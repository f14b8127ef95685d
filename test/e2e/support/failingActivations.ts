export * from '../../support/failingActivations';
