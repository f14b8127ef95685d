import { debianPackages } from '../../scripts/queue/debian';
import { addPage } from '../support/service';
import { testEvents } from './queue/events';
import { testRestarts } from './queue/restarts';
import { testSharing } from './queue/sharing';
import { useQueueBed } from './support/bed';
import { needs } from './support/needs';

needs(...debianPackages);

// All tests share one bed: it takes a while to start seven programs.
const bed = useQueueBed({ sandbox: { retry: { firstWaitMilliseconds: 500, maximumTries: 8 } } });
jest.setTimeout(120_000);

async function begin(): Promise<void> {
	await bed().sandbox.reset();
	await addPage(bed().sandbox, 'page');
}

describe('the life of the trigger in queue mode', () => {
	beforeEach(begin);
	testEvents(bed);
});

describe('what the processes share in queue mode', () => {
	beforeEach(begin);
	testSharing(bed);
});

describe('a restart in queue mode', () => {
	beforeAll(begin);
	testRestarts(bed);
});
