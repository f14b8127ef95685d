import { urlTokenOf } from '../../../nodes/PaymentPageTrigger/webhook/urlToken';

it.each([
	['abc', 'abc'],
	['abc/', 'abc'],
	['abc//', 'abc/'],
	['/', ''],
	['', ''],
	[undefined, undefined],
	[
		['abc/', 'abc'],
		['abc/', 'abc'],
	],
	[{ x: 'abc/' }, { x: 'abc/' }],
])('of %j is %j', (token, expected) => {
	expect(urlTokenOf({ token, other: 'abc' })).toEqual(expected);
});
