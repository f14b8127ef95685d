import type { FastifyReply } from 'fastify';

/** Markup that may be inserted as it is. */
export class Html {
	constructor(readonly text: string) {}
}

export type Insert = Html | string | number | false | null | undefined | Insert[];

const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };

function markup(insert: Insert): string {
	if (insert === false || insert === null || insert === undefined) return '';
	if (Array.isArray(insert)) return insert.map(markup).join('');
	if (insert instanceof Html) return insert.text;
	return String(insert).replace(/[&<>"']/g, (sign) => `&${names[sign] ?? ''};`);
}

/** Template tag: everything inserted is escaped unless it came from this tag itself. */
export function html(strings: TemplateStringsArray, ...inserts: Insert[]): Html {
	return new Html(String.raw({ raw: strings }, ...inserts.map(markup)));
}

/** The interface names no currency, so amounts stand without one. */
export function amountText(amount: number): string {
	return amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 20 });
}

export function card(title: string, ...content: Insert[]): Html {
	return html`<section class="card"><h2>${title}</h2>${content}</section>`;
}

const style = new Html(`
:root { color-scheme: light dark; --ink: light-dark(#1c2430, #e8ecf2); --quiet: light-dark(#566173,
	#a3aec0); --paper: light-dark(#ffffff, #1b212b); --ground: light-dark(#f2f4f8, #12161d); --line:
	light-dark(#d9dee7, #343d4c); --accent: light-dark(#2f55d4, #8ea9ff); --on-accent:
	light-dark(#ffffff, #10162a); --good: light-dark(#136c43, #6fd6a2); --bad: light-dark(#b3261e,
	#ff9d94); --warn-ground: light-dark(#fff3d6, #3d3113); --warn: light-dark(#6b4a00, #f4d58a); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui,
	-apple-system, 'Segoe UI', Roboto, sans-serif; overflow-wrap: anywhere; }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
main.narrow { max-width: 28rem; padding-top: clamp(1rem, 8vh, 5rem); }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.1rem; margin: 0 0 .75rem; } p { margin: 0 0 .75rem; }
a { color: var(--accent); display: inline-block; padding: .2rem 0; }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding:
	1.25rem; margin-bottom: 1.25rem; }
.quiet { color: var(--quiet); font-size: .9rem; } .good { color: var(--good); }
.bad { color: var(--bad); }
.badge { display: inline-block; white-space: nowrap; background: var(--warn-ground); color:
	var(--warn); border-radius: 1rem; padding: .1rem .7rem; font-size: .8rem; font-weight: 600; }
.amount { font-size: 2rem; font-weight: 700; margin: 1rem 0; font-variant-numeric: tabular-nums; }
label { display: block; font-weight: 600; font-size: .9rem; margin-bottom: .25rem; }
input, select, button { font: inherit; color: inherit; }
input, select { width: 100%; height: 2.6rem; padding: 0 .6rem; background: var(--ground); border:
	1px solid var(--quiet); border-radius: .4rem; }
button { padding: .5rem 1rem; border: 0; border-radius: .4rem; cursor: pointer; font-weight: 600;
	background: var(--accent); color: var(--on-accent); }
button.wide { width: 100%; padding: .75rem; margin-top: .5rem; }
button.small { padding: .15rem .6rem; font-size: .85rem; white-space: nowrap; background:
	transparent; color: var(--accent); border: 1px solid currentColor; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.field { margin-bottom: 1rem; }
.fields { display: grid; gap: .75rem 1rem; margin-bottom: 1rem; align-items: end;
	grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); }
.scroll { overflow-x: auto; position: relative; } .scroll table { min-width: 52rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .45rem .75rem .45rem 0; vertical-align: top; }
th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
tbody tr { border-top: 1px solid var(--line); } td { overflow-wrap: break-word; }
td.long { overflow-wrap: anywhere; min-width: 12rem; } td.number, td.line { white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
code { font: .9em/1.4 ui-monospace, Consolas, monospace; }
ol, ul { margin: 0; padding-left: 1.1rem; }
.card > form + form, form > .quiet, .card > ul + form { margin-top: 1rem; }
.hidden { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0; }
dt { color: var(--quiet); } dd { margin: 0; }
@media (max-width: 36rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } }
`);

/** Sends a whole HTML document; `narrow` is for a page with one small form. */
export function sendDocument(
	reply: FastifyReply,
	status: number,
	title: string,
	content: Html,
	width: 'wide' | 'narrow',
): FastifyReply {
	const document = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" />
	<meta name="robots" content="noindex" /><title>${title}</title><style>${style}</style></head>
<body><main class="${width}">${content}</main></body>
</html>`;
	return reply.code(status).type('text/html; charset=utf-8').send(document.text);
}

/** Says one thing on a page by itself. */
export function sendNotice(
	reply: FastifyReply,
	status: number,
	title: string,
	...content: Insert[]
): FastifyReply {
	const notice = html`<section class="card"><h1>${title}</h1>${content}</section>`;
	return sendDocument(reply, status, title, notice, 'narrow');
}

/** The beginning of a secret, enough to tell two apart. */
export function maskedSecret(secret: string): string {
	return secret === '' ? '(empty)' : `${secret.slice(0, Math.min(4, secret.length / 4))}…`;
}

/** An address without the values of its query, which may be secret tokens. */
export function maskedQuery(url: string): string {
	return url.replace(/([?&][^=&#]*=)[^&#]*/g, '$1…');
}
