import { forgeryKinds, forgeries } from '../forgeries';
import { html, type Html } from '../html';
import { maskedQuery } from '../masking';
import type { Sandbox } from '../sandbox';
import type { Delivery, DeliveryTry } from '../state';
import { buttonForm, selectField } from './controls';

const shownDeliveries = 50;
const shownAnswer = 120;

function tryLine({ status, error, milliseconds, answer }: DeliveryTry): Html {
	const isGood = status !== null && status >= 200 && status < 300;
	return html`<li>
		<span class="${isGood ? 'good' : 'bad'}">${status ?? error}</span>
		<span class="quiet">${milliseconds} ms</span>
		${answer && html`<code>${answer.slice(0, shownAnswer)}</code>`}
	</li>`;
}

function deliveryRow(delivery: Delivery): Html {
	const { id, kind, forgery, resendOf, status, tries } = delivery;
	return html`<tr>
		<td>${id}</td>
		<td>
			${kind}
			<div class="quiet">${forgery}${resendOf && `repeats ${resendOf}`}</div>
		</td>
		<td class="long">${delivery.paymentPageLinkReference}</td>
		<td class="long"><code>${maskedQuery(delivery.url)}</code></td>
		<td class="long">
			${status === 'waiting' && html`<span class="quiet">in progress or waiting</span>`}
			<ol>
				${tries.map(tryLine)}
			</ol>
		</td>
		<td>
			${kind !== 'forgery' &&
			buttonForm(`/sandbox/forms/resend/${id}`, 'Send again', `Send delivery ${id} again`)}
		</td>
	</tr>`;
}

export function deliveries({ state }: Sandbox): Html {
	const newest = state.deliveries.slice(-shownDeliveries).reverse();
	return html`<section class="card">
		<h2>Deliveries (${state.deliveries.length})</h2>
		${newest.length === 0
			? html`<p class="quiet">Nothing has been sent yet. Pay a page to send an event.</p>`
			: html`<div class="scroll">
					<table>
						<thead>
							<tr>
								<th scope="col">No.</th>
								<th scope="col">Kind</th>
								<th scope="col">Reference</th>
								<th scope="col">To</th>
								<th scope="col">Attempts and responses</th>
								<th scope="col"><span class="hidden">Action</span></th>
							</tr>
						</thead>
						<tbody>
							${newest.map(deliveryRow)}
						</tbody>
					</table>
				</div>`}
	</section>`;
}

export function forgeForm(): Html {
	const options = forgeryKinds.map((kind) => ({ value: kind, label: forgeries[kind].description }));
	return html`<section class="card">
		<h2>Send a forged event</h2>
		<p class="quiet">
			The registered webhook gets an event that does not come from the service. The token in its URL
			is dropped unless you keep it.
		</p>
		<form method="post" action="/sandbox/forms/forge">
			<div class="fields">
				${selectField('forge-kind', 'kind', 'Forgery', options)}
				${selectField('forge-token', 'keepToken', 'Token in the URL', [
					{ value: '', label: 'drop it' },
					{ value: 'keep', label: 'keep it' },
				])}
			</div>
			<button type="submit">Send</button>
		</form>
	</section>`;
}
