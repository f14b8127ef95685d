import { testEvents } from './queue/events';
import { testRestarts } from './queue/restarts';
import { testSharing } from './queue/sharing';
import { useQueueBed } from './support/queueBed';
import { debianPackages } from '../../scripts/queue/debian';
import { needs } from './support/needs';

needs(...debianPackages);

// All tests share one bed: it takes a while to start seven programs.
const bed = useQueueBed({ sandbox: { retry: { firstWaitMilliseconds: 500, maximumTries: 8 } } });
jest.setTimeout(120_000);

describe('the life of the trigger in queue mode', () => {
	testEvents(bed);
});

describe('what the processes share in queue mode', () => {
	testSharing(bed);
});

describe('a restart in queue mode', () => {
	testRestarts(bed);
});
