import { testEvents } from './queue/events';
import { testRestarts } from './queue/restarts';
import { useQueueBed } from './support/queueBed';

// All tests share one bed: it takes a while to start seven programs.
const bed = useQueueBed({ sandbox: { retry: { firstWaitMilliseconds: 500, maximumTries: 8 } } });
jest.setTimeout(120_000);

describe('the life of the trigger in queue mode', () => {
	testEvents(bed);
});

describe('a restart in queue mode', () => {
	testRestarts(bed);
});
