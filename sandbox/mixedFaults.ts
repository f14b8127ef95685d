import type { FaultRule } from './faults';

/** A bad day of the service: 5% of the creates and of the questions fail, each in another way. */
export const mixedFaults: FaultRule[] = [
	{ endpoint: 'create', kind: 'cutAfterStoring', rate: 0.006 },
	{ endpoint: 'create', kind: 'cutBeforeStoring', rate: 0.006 },
	{ endpoint: 'create', kind: 'serverError', rate: 0.006 },
	{ endpoint: 'create', kind: 'serverError', stored: true, rate: 0.006 },
	{ endpoint: 'create', kind: 'html', stored: true, rate: 0.004 },
	{ endpoint: 'create', kind: 'emptyBody', rate: 0.004 },
	{ endpoint: 'create', kind: 'missingCode', rate: 0.004 },
	{ endpoint: 'create', kind: 'wrongCode', rate: 0.004 },
	{ endpoint: 'create', kind: 'tooManyRequests', retryAfterSeconds: 0, rate: 0.005 },
	{ endpoint: 'create', kind: 'serverError', status: 503, retryAfterSeconds: 0, rate: 0.005 },
	{ endpoint: 'validate', kind: 'serverError', rate: 0.02 },
	{ endpoint: 'validate', kind: 'cutBeforeStoring', rate: 0.01 },
	{ endpoint: 'validate', kind: 'brokenJson', rate: 0.01 },
	{ endpoint: 'validate', kind: 'tooManyRequests', retryAfterSeconds: 0, rate: 0.01 },
];
