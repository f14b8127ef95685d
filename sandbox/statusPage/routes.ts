import type { FastifyInstance } from 'fastify';
import type { FaultRule } from '../faults';
import type { ForgeryKind } from '../forgeries';
import { html } from '../html';
import { htmlDocument, sendDocument } from '../layout';
import type { Sandbox } from '../sandbox';
import { faultSchema, forgeryKindSchema, signingSchema } from '../schemas';
import type { SigningSettings } from '../settings';
import { buttonForm } from './controls';
import { deliveries, forgeForm } from './deliveries';
import { faultFromForm, faultsForm } from './faultsForm';
import { connection, pages, registration } from './overview';
import { signingForm } from './signingForm';

const title = 'Payment pages sandbox';

/** What the sandbox holds and how it behaves, for people, at `/`; its forms post to this file. */
export async function statusPageRoutes(
	app: FastifyInstance,
	{ sandbox }: { sandbox: Sandbox },
): Promise<void> {
	app.get('/', async (_request, reply) => {
		const content = html`<h1>${title}</h1>
			<p class="quiet">
				It has the interface of the payment service and hosts the pages that it creates. No money
				moves.
				<a href="/">Refresh</a>
			</p>
			${connection(sandbox)} ${registration(sandbox)} ${pages(sandbox)} ${deliveries(sandbox)}
			${signingForm(sandbox)} ${faultsForm(sandbox)} ${forgeForm()}
			<section class="card">
				<h2>Start over</h2>
				<p class="quiet">
					Deletes pages, registration and logs, and restores the original settings.
				</p>
				${buttonForm('/sandbox/forms/reset', 'Reset', 'Reset the sandbox')}
			</section>`;
		return sendDocument(reply, 200, htmlDocument(title, content, 'wide'));
	});

	app.register(async (forms) => {
		forms.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
			const content = html`<section class="card">
				<h1>This is not possible</h1>
				<p role="alert">${error.message}</p>
				<p><a href="/">Back to the status page</a></p>
			</section>`;
			const document = htmlDocument('Not possible', content, 'narrow');
			return sendDocument(reply, error.statusCode ?? 500, document);
		});

		forms.post<{ Body: Partial<SigningSettings> }>(
			'/sandbox/forms/signing',
			{ schema: { body: signingSchema } },
			async (request, reply) => {
				sandbox.configure({ signing: request.body });
				return reply.redirect('/', 303);
			},
		);

		forms.post<{ Body: object | undefined }>(
			'/sandbox/forms/faults',
			{
				// The schema speaks of numbers, so the form's texts are turned into them before it.
				preValidation: async (request) => {
					request.body = faultFromForm(request.body ?? {});
				},
				schema: { body: faultSchema },
			},
			async (request, reply) => {
				const fault = request.body as FaultRule;
				sandbox.configure({ faults: [...sandbox.settings.faults, fault] });
				return reply.redirect('/', 303);
			},
		);

		forms.post('/sandbox/forms/faults/clear', async (_request, reply) => {
			sandbox.configure({ faults: [] });
			return reply.redirect('/', 303);
		});

		forms.post<{ Body: { kind: ForgeryKind; keepToken?: string } }>(
			'/sandbox/forms/forge',
			{ schema: { body: forgeryKindSchema } },
			async (request, reply) => {
				const { kind, keepToken } = request.body;
				await sandbox.forge(kind, { keepToken: keepToken === 'keep' });
				return reply.redirect('/', 303);
			},
		);

		forms.post<{ Params: { id: string } }>('/sandbox/forms/resend/:id', async (request, reply) => {
			await sandbox.resend(request.params.id);
			return reply.redirect('/', 303);
		});

		forms.post('/sandbox/forms/reset', async (_request, reply) => {
			await sandbox.reset();
			return reply.redirect('/', 303);
		});
	});
}
