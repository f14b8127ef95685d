import { deriveListenMark } from '../../../nodes/shared/secrets';
import { isMarkedAsListening, urlTokenOf } from '../../../nodes/PaymentPageTrigger/urlParameters';
import { secret } from './vectors';

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
])('the token of %j is %j', (token, expected) => {
	expect(urlTokenOf({ token, other: 'abc' })).toEqual(expected);
});

const mark = deriveListenMark(secret);

it.each<[unknown, string[], boolean]>([
	[mark, [secret], true],
	[`${mark}/`, ['other', secret], true],
	[mark, [], false],
	[mark, ['other'], false],
	[deriveListenMark(''), [''], false],
	[mark.toUpperCase(), [secret], false],
	[mark.slice(1), [secret], false],
	['', [secret], false],
	[undefined, [secret], false],
	[[mark], [secret], false],
	[{ x: mark }, [secret], false],
])(
	'the mark %j, with the secrets %j, says that a test is listening: %j',
	(listen, secrets, says) => {
		expect(isMarkedAsListening({ listen }, secrets)).toBe(says);
	},
);
