import { PaymentPagesApiKeyApi } from '../../credentials/PaymentPagesApiKeyApi.credentials';
import { PaymentPagesPrivateKeyApi } from '../../credentials/PaymentPagesPrivateKeyApi.credentials';
import { PaymentPage } from '../../nodes/PaymentPage/PaymentPage.node';
import { PaymentPageTrigger } from '../../nodes/PaymentPageTrigger/PaymentPageTrigger.node';
import { phrasesOf } from './literals';

/** Keys of a description under which n8n shows text to a person. */
const shown = new Set([
	'displayName',
	'description',
	'placeholder',
	'action',
	'hint',
	'header',
	'active',
	'inactive',
	'activationHint',
	'subtitle',
]);

/** Every text of a description that a person reads, once, in the order of the form. */
function textsOf(value: unknown, key = ''): string[] {
	if (typeof value === 'string') return shown.has(key) && value !== '' ? [value] : [];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, member]) =>
		// A choice in a list is shown by its name.
		name === 'name' && 'value' in value && typeof member === 'string'
			? [member]
			: textsOf(member, Array.isArray(value) ? key : name),
	);
}

const forms: Record<string, () => object> = {
	'Payment Page': () => new PaymentPage().description,
	'Payment Page Trigger': () => new PaymentPageTrigger().description,
	'private key': () => new PaymentPagesPrivateKeyApi(),
	'API key': () => new PaymentPagesApiKeyApi(),
};

function lines(texts: Iterable<string>): string {
	return `\n${[...new Set(texts)].join('\n')}\n`;
}

/**
 * What a person reads, so that a change of wording is seen and read in review:
 * `__snapshots__/texts.test.ts.snap`.
 */
describe('texts', () => {
	test.each(Object.entries(forms))('of the form: %s', (_name, form) => {
		expect(lines(textsOf(form()))).toMatchSnapshot();
	});

	// Errors, advice and log lines. All phrases of the code are taken, so that none can be missed;
	// names of headers and the like come with them.
	test('of the code', () => {
		const shownInForms = new Set(Object.values(forms).flatMap((form) => textsOf(form())));
		const texts = [...phrasesOf('nodes'), ...phrasesOf('credentials')].flatMap(
			([file, phrases]) => {
				const others = phrases.filter((phrase) => !shownInForms.has(phrase));
				return others.length === 0 ? [] : ['', file, ...others];
			},
		);
		expect(`${texts.join('\n')}\n`).toMatchSnapshot();
	});

	// n8n's UX guidelines: such words do not help anybody. What is logged or thrown is text here, too.
	test('do without words of blame', () => {
		const texts = [
			...Object.values(forms).flatMap((form) => textsOf(form())),
			...phrasesOf('nodes').flatMap(([, phrases]) => phrases),
		];
		const words = texts.map((text) => text.replace(/\$\{[^}]*\}/g, ''));
		expect(words.filter((text) => /\b(error|problem|failure|mistake)s?\b/i.test(text))).toEqual([]);
	});
});
