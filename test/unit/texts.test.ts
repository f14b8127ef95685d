import { PaymentPagesApiKeyApi } from '../../credentials/PaymentPagesApiKeyApi.credentials';
import { PaymentPagesPrivateKeyApi } from '../../credentials/PaymentPagesPrivateKeyApi.credentials';
import { PaymentPage } from '../../nodes/PaymentPage/PaymentPage.node';
import { PaymentPageTrigger } from '../../nodes/PaymentPageTrigger/PaymentPageTrigger.node';

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

/**
 * The texts of the forms, so that a change of wording is seen and read in review:
 * `__snapshots__/texts.test.ts.snap`.
 */
test.each<[name: string, form: () => object]>([
	['Payment Page', () => new PaymentPage().description],
	['Payment Page Trigger', () => new PaymentPageTrigger().description],
	['private key', () => new PaymentPagesPrivateKeyApi()],
	['API key', () => new PaymentPagesApiKeyApi()],
])('texts of %s', (_name, form) => {
	const texts = [...new Set(textsOf(form()))];
	expect(`\n${texts.join('\n')}\n`).toMatchSnapshot();
});
