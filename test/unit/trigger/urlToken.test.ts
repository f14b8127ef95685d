import fc from 'fast-check';

import { findToken, withToken } from '../../../nodes/PaymentPageTrigger/urlToken';
import { token } from './vectors';

const path = '/webhook/6a1c/webhook';

test('puts the token into the address', () => {
	expect(withToken(`https://n8n.example${path}`, token)).toBe(
		`https://n8n.example${path}?token=${token}`,
	);
});

test.each([
	`?token=${token}`,
	`?token=${token}/`,
	`?token=${token}//`,
	`/?token=${token}`,
	`?/token=${token}`,
	`?token=/${token}/`,
	`?token=${token}?source=pay`,
	`?token=${token}&source=pay`,
	`?token=${token}&`,
	`?source=pay&token=${token}`,
	`?source=pay?token=${token}`,
	`??token=${token}`,
	`?token%3D${token}`,
	`?a=1%26token=${token}%26b=2`,
	`?token=${token.toUpperCase()}`,
])('finds the token behind the path in %s', (rest) => {
	expect(findToken(`${path}${rest}`)).toBe(token);
});

test.each([
	'',
	'?token=',
	`?token=${token.slice(1)}`,
	`?token=${token}0`,
	`?tokens=${token}`,
	`?${token}`,
	`/token=${token}`,
	`?xtoken=${token}`,
])('finds none in %s', (rest) => {
	expect(findToken(`${path}${rest}`)).toBeUndefined();
});

test('finds the token wherever a service puts more parameters and slashes', () => {
	const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
	const parameter = fc.tuple(word, word).map(([name, value]) => `x${name}=${value}`);
	const glue = fc.constantFrom('&', '?', '&/', '?/', '/&');
	const around = fc.array(fc.tuple(parameter, glue), { maxLength: 4 });
	fc.assert(
		fc.property(around, around, (before, after) => {
			const head = before.map(([text, sign]) => `${text}${sign}`).join('');
			const tail = after.map(([text, sign]) => `${sign}${text}`).join('');
			expect(findToken(`${path}?${head}token=${token}${tail}`)).toBe(token);
		}),
	);
});
