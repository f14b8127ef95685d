/** Markup that may be inserted as it is. */
export class Html {
	constructor(readonly text: string) {}
}

type Insert = Html | string | number | false | null | undefined | Insert[];

const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

function markup(insert: Insert): string {
	if (insert === false || insert === null || insert === undefined) return '';
	if (Array.isArray(insert)) return insert.map(markup).join('');
	if (insert instanceof Html) return insert.text;
	return String(insert).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Template tag: everything inserted is escaped unless it came from this tag itself. */
export function html(strings: TemplateStringsArray, ...inserts: Insert[]): Html {
	return new Html(String.raw({ raw: strings }, ...inserts.map(markup)));
}
