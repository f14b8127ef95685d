import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { forgeries, forgeryKinds } from '../forgeries';
import type { Sandbox } from '../sandbox';
import { hostedAddress } from '../service/endpoints';
import { faultKinds, faultSchema, oneOf, signingSchema } from '../settings';
import type { Delivery, DeliveryTry, Page } from '../state';
import { buttonForm, schemaForm } from './forms';
import {
	amountText,
	card,
	html,
	type Html,
	type Insert,
	maskedQuery,
	maskedSecret,
	sendDocument,
} from './html';

const title = 'Payment pages sandbox';
const shownRows = 50;
const shownAnswer = 120;

const forgerySchema = Type.Object({
	kind: oneOf(forgeryKinds, 'Forgery'),
	keepToken: Type.Optional(Type.Boolean({ title: 'Keep the token in the URL' })),
});

const signingWords = {
	none: 'not at all',
	secretInHeader: 'secret in a header',
	hmac: 'HMAC in a header',
	standardWebhooks: 'Standard Webhooks',
	timestampDotBody: 'timestamp.body',
};
const yesNo = { true: 'yes', false: 'no' };
const faultWords = { ...faultKinds, '': 'default', ...yesNo };
const forgeryNames = forgeryKinds.map((kind) => [kind, forgeries[kind].description] as const);
const forgeryWords = { ...Object.fromEntries(forgeryNames), '': 'no', ...yesNo };

const quiet = (text: Insert): Html => html`<p class="quiet">${text}</p>`;
const code = (text: string): Html => html`<code>${text}</code>`;

/** Terms with what is to be said of each. */
function terms(entries: Record<string, Insert>): Html {
	const list = Object.entries(entries);
	return html`<dl>${list.map(([term, text]) => html`<dt>${term}</dt><dd>${text}</dd>`)}</dl>`;
}

/** A table; each column has a class: `long` texts break, a `line` does not. */
function table(columns: Record<string, string>, rows: Insert[][]): Html {
	const kinds = Object.values(columns);
	const head = Object.entries(columns).map(
		([name, kind]) => html`<th scope="col" class="${kind}">${name}</th>`,
	);
	const body = rows.map((cells) => {
		return html`<tr>${cells.map((cell, at) => html`<td class="${kinds[at]}">${cell}</td>`)}</tr>`;
	});
	return html`<div class="scroll">
		<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>
	</div>`;
}

/** An ISO time to the second, as people read it. */
function timeText(time: string): string {
	return time.slice(0, 19).replace('T', ' ');
}

function pageRow(page: Page): Insert[] {
	const reference = page.paymentPageLinkReference;
	const marks = html`${page.isTestMode && html`<span class="badge">Test mode</span>`}
	${page.isDeleted && html`<span class="bad">deleted</span>`}`;
	return [
		html`<a href="${hostedAddress('', reference)}">${reference}</a>`,
		html`${page.pageName} ${marks}`,
		page.amount === null ? html`<span class="quiet">open</span>` : amountText(page.amount),
		page.id,
		`${timeText(page.dateCreated)} UTC`,
	];
}

function tryLine({ status, error, milliseconds, answer }: DeliveryTry): Html {
	const isGood = status !== null && status >= 200 && status < 300;
	return html`<li><span class="${isGood ? 'good' : 'bad'}">${status ?? error}</span>
		<span class="quiet">${milliseconds} ms</span> ${answer && code(answer.slice(0, shownAnswer))}</li>`;
}

function deliveryRow(delivery: Delivery): Insert[] {
	const { id, kind, forgery, resendOf, status, tries } = delivery;
	return [
		id,
		html`${kind}<div class="quiet">${forgery}${resendOf && `repeats ${resendOf}`}</div>`,
		delivery.paymentPageLinkReference,
		code(maskedQuery(delivery.url)),
		html`${status === 'waiting' && html`<span class="quiet">in progress or waiting</span>`}
			<ol>${tries.map(tryLine)}</ol>`,
		kind !== 'forgery' &&
			buttonForm(`/sandbox/deliveries/${id}/resend`, 'Send again', `Send delivery ${id} again`),
	];
}

function faultLine({ rule, seen, made }: Sandbox['faults'][number]): Html {
	const { endpoint, kind, ...details } = rule;
	const given = Object.entries(details).map(([name, value]) => `${name} ${String(value)}`);
	return html`<li><strong>${endpoint}</strong>: ${faultKinds[kind]}
		<span class="quiet">${given.join(', ')} (${made} of ${seen} requests)</span></li>`;
}

const names = { Reference: 'long', Name: 'long' };
const pageColumns = { ...names, Amount: 'number', ID: 'line', Created: 'line' };
const first = { No: '', Kind: '', Reference: 'long' };
const sentColumns = { ...first, To: 'long', Responses: 'long', Action: '' };

function statusContent({ baseUrl, settings, state, faults }: Sandbox): Html {
	const { registration, deliveries } = state;
	const pages = [...state.pages.values()];
	const connection = terms({
		'Base URL': code(baseUrl),
		'Merchant ID': code(settings.merchantId),
		'Private key': html`${code(settings.privateKey)} <span class="quiet">for pages</span>`,
		'API key': html`${code(settings.apiKey)} <span class="quiet">for webhook registration</span>`,
	});
	const registered = registration
		? terms({
				'Events go to': code(maskedQuery(registration.webhookUrl)),
				Secret: code(maskedSecret(registration.secret)),
				Registered: `${timeText(registration.registeredAt)} UTC`,
			})
		: quiet('No webhook is registered, so payments send no events.');
	const newest = pages.slice(-shownRows).reverse().map(pageRow);
	const sent = deliveries.slice(-shownRows).reverse().map(deliveryRow);
	const newestOnly = html`The newest ${shownRows}; all are at
		<a href="/sandbox/pages">/sandbox/pages</a>.`;
	const made = html`<ul>${faults.map(faultLine)}</ul>
		${buttonForm('/sandbox/faults/clear', 'Remove all', 'Remove all faults')}`;
	return html`<h1>${title}</h1>
		<p class="quiet">It has the interface of the payment service and hosts the pages that it
		creates. No money moves. <a href="/">Refresh</a></p>
		${card('Connection', connection)}
		${card('Webhook registration', registered)}
		${card(
			`Payment pages (${pages.length})`,
			pages.length > 0 ? table(pageColumns, newest) : quiet('There are no pages yet.'),
			pages.length > shownRows && quiet(newestOnly),
		)}
		${card(
			`Deliveries (${deliveries.length})`,
			sent.length > 0
				? table(sentColumns, sent)
				: quiet('Nothing has been sent yet. Pay a page to send an event.'),
		)}
		${card(
			'How events are signed',
			quiet(html`The interface does not say how the service signs events, or what they contain.
				Both are choices of this sandbox. Set what your service does, or try all variants.`),
			schemaForm('/sandbox/signing', 'Save', signingSchema, signingWords, settings.signing),
		)}
		${card(
			'Faults',
			faults.length > 0 ? made : quiet('The service responds to every request normally.'),
			schemaForm('/sandbox/faults', 'Add fault', faultSchema, faultWords),
			quiet(`Adding or removing a fault resets all counters. Seed: ${settings.seed}.`),
		)}
		${card(
			'Send a forged event',
			quiet(html`The registered webhook gets an event that does not come from the service. The
				token in its URL is dropped unless you keep it.`),
			schemaForm('/sandbox/forge', 'Send', forgerySchema, forgeryWords),
		)}
		${card(
			'Start over',
			quiet('Deletes pages, registration and logs, and restores the original settings.'),
			buttonForm('/sandbox/reset', 'Reset', 'Reset the sandbox'),
		)}`;
}

/** What the sandbox holds and how it behaves, for people, at `/`. */
export async function statusPageRoutes(
	app: FastifyInstance,
	{ sandbox }: { sandbox: Sandbox },
): Promise<void> {
	app.get('/', async (_request, reply) =>
		sendDocument(reply, 200, title, statusContent(sandbox), 'wide'),
	);
}
