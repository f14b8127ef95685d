import { isFresh, timestampsIn } from '../../../nodes/PaymentPageTrigger/verification/timestamp';

test.each([
	[['1700000000'], ['1700000000']],
	[['1700000000123'], ['1700000000123']],
	[['t=1700000000,v1=abc'], ['1700000000']],
	[['v1=abc; t=1700000000'], ['1700000000']],
	[['1700000000, 1800000000'], ['1700000000', '1800000000']],
	[['abc', '1700000000'], ['1700000000']],
	[['t=abc'], []],
	[['t=t=1700000000'], []],
	[['2023-11-14T22:13:20Z'], []],
	[['1700000000.5'], []],
	[['+1700000000'], []],
	[['12345678'], []],
	[['123456789012345'], []],
	[[''], []],
	[[], []],
])('in %j are the timestamps %j', (values, timestamps) => {
	expect(timestampsIn(values)).toEqual(timestamps);
});

const now = 1_700_000_000_000;

test.each([
	['1700000000', true],
	['1699999940', true],
	['1699999939', false],
	['1700000060', true],
	['1700000061', false],
	['1700000000000', true],
	['1699999940000', true],
	['1699999939999', false],
	['99999999999999', false],
	['170000000', false],
])('%s is fresh within 60 s, in seconds and milliseconds: %s', (timestamp, fresh) => {
	expect(isFresh(timestamp, now, 60)).toBe(fresh);
});
