import { html, type Html } from '../html';
import type { Sandbox } from '../sandbox';
import { choices, selectField, textField } from './controls';

const modes = [
	{ value: 'none', label: 'not at all' },
	{ value: 'secretInHeader', label: 'secret in a header' },
	{ value: 'hmac', label: 'HMAC in a header' },
];
const contents = [
	{ value: 'body', label: 'body' },
	{ value: 'timestampDotBody', label: 'timestamp.body' },
];

export function signingForm({ settings: { signing } }: Sandbox): Html {
	return html`<section class="card">
		<h2>How events are signed</h2>
		<p class="quiet">
			The interface does not say how the service signs events, or what they contain. Both are
			choices of this sandbox. Set what your service does, or try all variants.
		</p>
		<form method="post" action="/sandbox/forms/signing">
			<div class="fields">
				${selectField('signing-mode', 'mode', 'Sign', modes, signing.mode)}
				${textField('signing-header', 'header', 'Header', signing.header)}
				${selectField(
					'signing-algorithm',
					'algorithm',
					'Algorithm',
					choices(['sha256', 'sha512', 'sha1']),
					signing.algorithm,
				)}
				${selectField(
					'signing-encoding',
					'encoding',
					'Encoding',
					choices(['hex', 'base64']),
					signing.encoding,
				)}
				${selectField(
					'signing-content',
					'signedContent',
					'Signed content',
					contents,
					signing.signedContent,
				)}
				${textField(
					'signing-timestamp',
					'timestampHeader',
					'Timestamp header',
					signing.timestampHeader,
				)}
				${textField('signing-prefix', 'prefix', 'Text before the signature', signing.prefix)}
			</div>
			<button type="submit">Save</button>
		</form>
	</section>`;
}
