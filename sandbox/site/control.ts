import { type Static, type TObject, Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forgeryKinds } from '../forgeries';
import type { Sandbox } from '../sandbox';
import { faultSchema, oneOf, settingsChangeSchema, signingSchema } from '../settings';
import { formValues } from './forms';
import { html, maskedSecret, sendNotice } from './html';

const closed = { additionalProperties: false };
const text = Type.Optional(Type.String());
const [flag, number] = [Type.Optional(Type.Boolean()), Type.Optional(Type.Number())];
const forgery = { kind: oneOf(forgeryKinds), reference: text, keepToken: flag, token: text };
const forgeSchema = Type.Object(forgery, closed);
const paymentSchema = Type.Object({ amount: number, phoneNumber: text }, closed);

function isForm({ headers }: FastifyRequest): boolean {
	return headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
}

/**
 * What one can ask of the sandbox under `/sandbox`, beside the service's interface: JSON for tests
 * and curious people, in which whole numbers are texts of digits, and the forms of the status page.
 */
export async function controlRoutes(
	app: FastifyInstance,
	{ sandbox }: { sandbox: Sandbox },
): Promise<void> {
	const { state } = sandbox;
	app.get('/sandbox/pages', async () => [...state.pages.values()]);
	app.get('/sandbox/registration', async () => {
		const { registration } = state;
		return registration && { ...registration, secret: maskedSecret(registration.secret) };
	});
	app.get('/sandbox/deliveries', async () => state.deliveries);
	app.get('/sandbox/requests', async () =>
		state.requests.map((request) => ({ ...request, body: request.body.toString('utf8') })),
	);
	app.get('/sandbox/faults', async () => sandbox.faults);

	app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
		if (!isForm(request)) throw error;
		const content = html`<p role="alert">${error.message}</p>
			<p><a href="/">Back to the status page</a></p>`;
		return sendNotice(reply, error.statusCode ?? 500, 'This is not possible', content);
	});

	const action = <Schema extends TObject>(
		path: string,
		schema: Schema,
		work: (body: Static<Schema>, id: string) => unknown,
	): void => {
		app.post<{ Params: { id?: string } }>(`/sandbox/${path}`, {
			schema: { body: schema },
			preValidation: async (request) => {
				request.body ??= {};
				if (isForm(request)) request.body = formValues(schema, request.body as object);
			},
			handler: async (request, reply) => {
				const result = await work(request.body as Static<Schema>, request.params.id ?? '');
				if (isForm(request)) return reply.redirect('/', 303);
				return result ?? { ok: true };
			},
		});
	};
	action('settings', settingsChangeSchema, (change) => sandbox.configure(change));
	action('signing', signingSchema, (signing) => sandbox.configure({ signing }));
	action('faults', faultSchema, (fault) =>
		sandbox.configure({ faults: [...sandbox.settings.faults, fault] }),
	);
	const empty = Type.Object({});
	action('faults/clear', empty, () => sandbox.configure({ faults: [] }));
	action('pay/:id', paymentSchema, (details, id) => sandbox.pay(id, details));
	action('deliveries/:id/resend', empty, (_body, id) => sandbox.resend(id));
	action('forge', forgeSchema, ({ kind, ...options }) => sandbox.forge(kind, options));
	action('reset', empty, () => sandbox.reset());
}
