import { html, type Html } from './html';

/** As much of a JSON schema as a form needs. */
type FieldSchema = { type?: string; title?: string; enum?: string[]; minimum?: number };
export type FormSchema = { properties: Record<string, FieldSchema>; required?: string[] };

/** Words for values of a selection; others are shown as they are. */
type Words = Record<string, string>;

function labelled(id: string, label: string, control: Html): Html {
	return html`<div><label for="${id}">${label}</label>${control}</div>`;
}

function select(id: string, name: string, values: string[], words: Words, chosen?: string): Html {
	const options = values.map((value) => {
		const selected = value === chosen && html`selected`;
		return html`<option value="${value}" ${selected}>${words[value] ?? value}</option>`;
	});
	return html`<select id="${id}" name="${name}">${options}</select>`;
}

function input(id: string, name: string, { type, minimum }: FieldSchema, value = ''): Html {
	let kind = html`type="text"`;
	const step = type === 'integer' ? 1 : 'any';
	if (type === 'array') kind = html`pattern="[0-9, ]*" inputmode="numeric"`;
	else if (step === 1 || type === 'number')
		kind = html`type="number" min="${minimum ?? 0}" step="${step}"`;
	return html`<input id="${id}" name="${name}" value="${value}" ${kind} />`;
}

/** A form with one field for each property of a schema, labelled with the property's title. */
export function schemaForm(
	action: string,
	submit: string,
	{ properties, required = [] }: FormSchema,
	words: Words,
	values: Record<string, string> = {},
): Html {
	const prefix = action.split('/').at(-1) ?? '';
	const fields = Object.entries(properties).map(([name, field]) => {
		const id = `${prefix}-${name}`;
		const choices = field.type === 'boolean' ? ['true', 'false'] : field.enum;
		const all = [...(required.includes(name) ? [] : ['']), ...(choices ?? [])];
		const control = choices
			? select(id, name, all, words, values[name])
			: input(id, name, field, values[name]);
		return labelled(id, field.title ?? name, control);
	});
	return html`<form method="post" action="${action}">
		<div class="fields">${fields}</div>
		<button type="submit">${submit}</button>
	</form>`;
}

/** Turns what such a form sends, texts only, into values; the schema is still to be checked. */
export function formValues({ properties, required = [] }: FormSchema, form: object): object {
	const values: Record<string, unknown> = {};
	for (const [name, sent] of Object.entries(form)) {
		const text = String(sent).trim();
		const type = properties[name]?.type;
		if (text === '' && !required.includes(name)) continue;
		if (type === 'array') values[name] = text.split(',').map(Number);
		else if (type === 'integer' || type === 'number') values[name] = Number(text);
		else values[name] = type === 'boolean' ? text === 'true' : text;
	}
	return values;
}

/** A form that consists of one button. */
export function buttonForm(action: string, text: string, hint: string): Html {
	return html`<form method="post" action="${action}">
		<button class="small" type="submit" aria-label="${hint}">${text}</button>
	</form>`;
}
