import { html, type Html } from '../html';

/** Building blocks of the status page's forms. */

export interface Choice {
	value: string;
	label?: string;
}

export function choices(values: readonly string[]): Choice[] {
	return values.map((value) => ({ value }));
}

export function selectField(
	id: string,
	name: string,
	label: string,
	options: Choice[],
	selected?: string,
): Html {
	return html`<div>
		<label for="${id}">${label}</label>
		<select id="${id}" name="${name}">
			${options.map(
				({ value, label: text }) =>
					html`<option value="${value}" ${value === selected && html`selected`}>
						${text ?? value}
					</option>`,
			)}
		</select>
	</div>`;
}

export function textField(
	id: string,
	name: string,
	label: string,
	value = '',
	attributes: Html = html``,
): Html {
	return html`<div>
		<label for="${id}">${label}</label>
		<input id="${id}" name="${name}" value="${value}" ${attributes} />
	</div>`;
}

/** A form that consists of one button. */
export function buttonForm(action: string, text: string, hint: string): Html {
	return html`<form method="post" action="${action}">
		<button class="small" type="submit" aria-label="${hint}">${text}</button>
	</form>`;
}
