import { testAdding } from './editor/adding';
import { testCredentials } from './editor/credentials';
import { testFailures } from './editor/failures';
import { testKeyboard } from './editor/keyboard';
import { testMapping } from './editor/mapping';
import { testPayments } from './editor/payments';
import { useStage } from './support/stage';

// All tests share one n8n.
const stage = useStage();
jest.setTimeout(180_000);

describe('adding a node', () => {
	testAdding(stage);
});

describe('the form by keyboard alone', () => {
	testKeyboard(stage);
});

describe('a credential', () => {
	testCredentials(stage);
});

describe('rows of a table', () => {
	testMapping(stage);
});

describe('an item that fails', () => {
	testFailures(stage);
});

describe('a payment', () => {
	testPayments(stage);
});
