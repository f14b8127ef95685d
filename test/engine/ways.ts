import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { registerUrl } from '../../nodes/PaymentPageTrigger/registration/registerUrl';
import { readTriggerCredential } from '../../nodes/PaymentPageTrigger/keys';
import type { CredentialName } from '../../nodes/shared/credential';
import { ServiceError } from '../../nodes/shared/errors';
import { hookContextFor } from './harness/hookContext';
import { testCredential } from './harness/credentialTest';
import {
	automatic,
	credentialsFor,
	register,
	type CredentialChange,
	type SandboxInTest,
} from './sandbox';

/** Why a call failed, in the words that a person reads; undefined when it succeeded. */
export type Failure = string | undefined;

/** One of the ways in which the package calls the service, with credentials that are changed so. */
export type Way = (sandbox: SandboxInTest, change: CredentialChange) => Promise<Failure>;

function operation(parameters: INodeParameters): Way {
	return async (sandbox, change) => {
		const { error } = await sandbox.run({
			rows: [{ id: 1, pageName: 'A', paymentPageLinkReference: 'a' }],
			parameters,
			credentials: credentialsFor(sandbox.service, { webhookSecret: 'secret-8', ...change }),
		});
		return error && `${error.message}. ${error.description ?? ''}`;
	};
}

function credentialTest(name: CredentialName): Way {
	return async (sandbox, change) => {
		const { [name]: data } = credentialsFor(sandbox.service, change);
		const { status, message } = await testCredential(name, data as ICredentialDataDecryptedObject);
		return status === 'OK' ? undefined : message;
	};
}

const trigger: Way = async (sandbox, change) => {
	const hook = hookContextFor(credentialsFor(sandbox.service, change));
	try {
		await registerUrl(hook, await readTriggerCredential(hook), 'https://n8n.example/x');
		return undefined;
	} catch (error) {
		return error instanceof ServiceError ? `${error.message}. ${error.advice}` : String(error);
	}
};

/** A page for an update, made on the shortest way. */
async function makePage({ service }: SandboxInTest): Promise<void> {
	const { baseUrl, settings } = service;
	const answer = await fetch(`${baseUrl}/PaymentPages/Add`, {
		method: 'POST',
		headers: {
			Authorization: `Bearer ${settings.privateKey}`,
			'Content-Type': 'application/json',
		},
		body: JSON.stringify({ pageName: 'A', paymentPageLinkReference: 'a' }),
	});
	expect(answer.ok).toBe(true);
}

/** Those that ask for what may not happen twice, and those that may be asked for again. */
export const ways: Record<string, Way> = {
	create: operation(automatic('create')),
	'create or skip': operation(automatic('create', { ifReferenceExists: 'skip' })),
	update: async (sandbox, change) => {
		await makePage(sandbox);
		const updateFields = { pageName: 'B' };
		return await operation({ operation: 'update', paymentPageLinkReference: 'a', updateFields })(
			sandbox,
			change,
		);
	},
	'validate reference': operation({
		operation: 'validateReference',
		paymentPageLinkReference: 'a',
	}),
	register: operation({ ...register, webhookUrl: 'https://shop.example/x' }),
	'test of the private key': credentialTest('paymentPagesPrivateKeyApi'),
	'test of the API key': credentialTest('paymentPagesApiKeyApi'),
	trigger,
};
