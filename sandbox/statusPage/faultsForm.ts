import { faultEndpoints, type FaultKind, faultKinds, type FaultRule } from '../faults';
import { html, type Html } from '../html';
import type { Sandbox } from '../sandbox';
import { buttonForm, choices, selectField, textField } from './controls';

const numberFields = {
	rate: 'Share of requests, 0 to 1',
	times: 'At most this many times',
	milliseconds: 'Milliseconds (for late and trickling)',
	jitterMilliseconds: 'Random extra milliseconds',
	status: 'HTTP status',
	retryAfterSeconds: 'Retry-After, seconds',
};

/** Turns what the form sends, texts only, into a rule; its schema is still to be checked. */
export function faultFromForm(form: object): object {
	const texts = Object.entries(form).map(([name, value]) => [name, String(value).trim()] as const);
	const given = texts.filter(([, text]) => text !== '');
	const fault: Record<string, unknown> = {};
	for (const [name, text] of given) {
		if (name === 'nth') fault[name] = text.split(',').map(Number);
		else if (name === 'stored') fault[name] = text === 'true';
		else fault[name] = name in numberFields ? Number(text) : text;
	}
	return fault;
}

function ruleText({ endpoint, kind, ...details }: FaultRule): Html {
	const given = Object.entries(details).map(([name, value]) => `${name} ${String(value)}`);
	return html`<strong>${endpoint}</strong>: ${faultKinds[kind]}
		<span class="quiet">${given.join(', ')}</span>`;
}

export function faultsForm({ faults, settings }: Sandbox): Html {
	const kinds = (Object.keys(faultKinds) as FaultKind[]).map((kind) => ({
		value: kind,
		label: faultKinds[kind],
	}));
	return html`<section class="card">
		<h2>Faults</h2>
		${faults.length === 0
			? html`<p class="quiet">The service responds to every request normally.</p>`
			: html`<ul>
						${faults.map(
							({ rule, seen, made }) =>
								html`<li>
									${ruleText(rule)} <span class="quiet">(${made} of ${seen} requests)</span>
								</li>`,
						)}
					</ul>
					${buttonForm('/sandbox/forms/faults/clear', 'Remove all', 'Remove all faults')}`}
		<form method="post" action="/sandbox/forms/faults">
			<div class="fields">
				${selectField('fault-endpoint', 'endpoint', 'Endpoint', choices(faultEndpoints))}
				${selectField('fault-kind', 'kind', 'Fault', kinds)}
				${textField(
					'fault-nth',
					'nth',
					'Only these requests, such as 3, 400',
					'',
					html`pattern="[0-9, ]*" inputmode="numeric"`,
				)}
				${Object.entries(numberFields).map(([name, label]) =>
					textField(
						`fault-${name}`,
						name,
						label,
						'',
						html`type="number" min="0" step="${name === 'rate' ? 'any' : '1'}"`,
					),
				)}
				${selectField('fault-retry-after', 'retryAfterAs', 'Format of Retry-After', [
					{ value: '', label: 'seconds' },
					{ value: 'date', label: 'date' },
				])}
				${selectField('fault-stored', 'stored', 'The request itself', [
					{ value: '', label: 'not processed' },
					{ value: 'true', label: 'processed before the fault' },
				])}
			</div>
			<button type="submit">Add fault</button>
			<p class="quiet">Adding or removing a fault resets all counters. Seed: ${settings.seed}.</p>
		</form>
	</section>`;
}
