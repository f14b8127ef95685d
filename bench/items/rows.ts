/** The page fields that are mapped, the four that nobody leaves out first. */
export const mappedFields = [
	'pageName',
	'amount',
	'paymentPageLinkReference',
	'description',
	'businessName',
	'isFixedAmount',
	'isPhoneNumberRequired',
	'callBackUrl',
	'successMessage',
	'notificationEmail',
	'isTestMode',
	'pageType',
	'additionalFields',
] as const;

export type MappedField = (typeof mappedFields)[number];

/** For a Code node: rows as a CRM gives them, whose columns bear the names of the page fields. */
export function rowsCode(items: number): string {
	return `
const rows = [];
for (let number = 1; number <= ${items}; number++) {
	rows.push({ json: {
		pageName: 'Invoice ' + number,
		amount: number + 0.9,
		paymentPageLinkReference: 'invoice-' + number,
		description: 'Consulting in December, two days on site, travel included',
		businessName: 'O’Hara & Söhne GmbH',
		isFixedAmount: true,
		isPhoneNumberRequired: false,
		callBackUrl: 'https://www.shop.example/paid/' + number,
		successMessage: 'Thank you, we have received your payment.',
		notificationEmail: 'accounting@shop.example',
		isTestMode: true,
		pageType: 'invoice',
		additionalFields: '[]',
	} });
}
return rows;`;
}

/** What a person writes who fills in the fields with fixed values. */
export const fixedValues: Partial<Record<MappedField, string>> = {
	pageName: 'Donation',
	amount: '25',
	paymentPageLinkReference: 'donation',
	description: 'A donation for the museum',
};

/** What a person gets who drags columns onto the fields. */
export function expressions(fields: readonly MappedField[]): Partial<Record<MappedField, string>> {
	return Object.fromEntries(fields.map((field) => [field, `={{ $json.${field} }}`]));
}
