import { html, type Html } from './html';

/** As much of a JSON schema as a form's field needs. */
interface FieldSchema {
	type?: string;
	title?: string;
	enum?: string[];
	minimum?: number;
}
export interface FormSchema {
	properties: Record<string, FieldSchema>;
	required?: string[];
}

/** Words for values of a selection; others are shown as they are. */
type Words = Record<string, string>;

function selection(
	id: string,
	name: string,
	label: string,
	values: string[],
	words: Words,
	selected?: string,
): Html {
	return html`<div>
		<label for="${id}">${label}</label>
		<select id="${id}" name="${name}">
			${values.map(
				(value) =>
					html`<option value="${value}" ${value === selected && html`selected`}>
						${words[value] ?? value}
					</option>`,
			)}
		</select>
	</div>`;
}

function input(id: string, name: string, label: string, field: FieldSchema, value = ''): Html {
	const { type, minimum } = field;
	let kind = html`type="text"`;
	if (type === 'array') kind = html`pattern="[0-9, ]*" inputmode="numeric"`;
	if (type === 'integer' || type === 'number') {
		kind = html`type="number" min="${minimum ?? 0}" step="${type === 'integer' ? 1 : 'any'}"`;
	}
	return html`<div>
		<label for="${id}">${label}</label>
		<input id="${id}" name="${name}" value="${value}" ${kind} />
	</div>`;
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
		const label = field.title ?? name;
		const choices = field.type === 'boolean' ? ['true', 'false'] : field.enum;
		if (!choices) return input(id, name, label, field, values[name]);
		const all = required.includes(name) ? choices : ['', ...choices];
		return selection(id, name, label, all, words, values[name]);
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
