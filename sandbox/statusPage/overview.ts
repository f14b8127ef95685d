import { amountText } from '../hostedPage';
import { html, type Html } from '../html';
import { maskedQuery, maskedSecret } from '../masking';
import type { Sandbox } from '../sandbox';
import { hostedAddress } from '../service/pages';
import type { Page } from '../state';

const shownPages = 50;

/** An ISO time to the second, as people read it. */
function timeText(time: string): string {
	return time.slice(0, 19).replace('T', ' ');
}

/** What one needs to connect to the sandbox. */
export function connection({ baseUrl, settings }: Sandbox): Html {
	return html`<section class="card">
		<h2>Connection</h2>
		<dl>
			<dt>Base URL</dt>
			<dd><code>${baseUrl}</code></dd>
			<dt>Merchant ID</dt>
			<dd><code>${settings.merchantId}</code></dd>
			<dt>Private key</dt>
			<dd><code>${settings.privateKey}</code> <span class="quiet">for pages</span></dd>
			<dt>API key</dt>
			<dd><code>${settings.apiKey}</code> <span class="quiet">for webhook registration</span></dd>
		</dl>
	</section>`;
}

export function registration({ state }: Sandbox): Html {
	const registered = state.registration;
	return html`<section class="card">
		<h2>Webhook registration</h2>
		${registered
			? html`<dl>
					<dt>Events go to</dt>
					<dd><code>${maskedQuery(registered.webhookUrl)}</code></dd>
					<dt>Secret</dt>
					<dd><code>${maskedSecret(registered.secret)}</code></dd>
					<dt>Registered</dt>
					<dd>${timeText(registered.registeredAt)} UTC</dd>
				</dl>`
			: html`<p class="quiet">No webhook is registered, so payments send no events.</p>`}
	</section>`;
}

function pageRow(page: Page): Html {
	const address = hostedAddress('', page.paymentPageLinkReference);
	return html`<tr>
		<td class="long"><a href="${address}">${page.paymentPageLinkReference}</a></td>
		<td class="long">
			${page.pageName} ${page.isTestMode && html`<span class="badge">Test mode</span>`}
			${page.isDeleted && html`<span class="bad">deleted</span>`}
		</td>
		<td class="number">
			${page.amount === null ? html`<span class="quiet">open</span>` : amountText(page.amount)}
		</td>
		<td class="line">${page.id}</td>
		<td class="line">${timeText(page.dateCreated)}</td>
	</tr>`;
}

export function pages({ state }: Sandbox): Html {
	const newest = [...state.pages.values()].slice(-shownPages).reverse();
	return html`<section class="card">
		<h2>Payment pages (${state.pages.size})</h2>
		${newest.length === 0
			? html`<p class="quiet">There are no pages yet.</p>`
			: html`<div class="scroll">
					<table>
						<thead>
							<tr>
								<th scope="col">Reference</th>
								<th scope="col">Name</th>
								<th scope="col" class="number">Amount</th>
								<th scope="col">ID</th>
								<th scope="col">Created (UTC)</th>
							</tr>
						</thead>
						<tbody>
							${newest.map(pageRow)}
						</tbody>
					</table>
				</div>`}
		${state.pages.size > shownPages &&
		html`<p class="quiet">
			The newest ${shownPages}; all are at <a href="/sandbox/pages">/sandbox/pages</a>.
		</p>`}
	</section>`;
}
