import type {
	DeclarativeRestApiSettings,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecutePaginationFunctions,
} from 'n8n-workflow';

import type { CredentialName, ServiceCredential } from '../../shared/credential';
import type { RequestBody } from '../../shared/exactJson';
import type { Envelope, ServiceRequest } from '../../shared/service/api';
import type { Options } from '../properties/options';
import type { Run } from './run';

export interface Result {
	/** The useful part of the response, as the node returns it. */
	output: IDataObject;
	/** The response as it came, for the option "Full Response"; absent when nothing was asked. */
	envelope?: Envelope;
}

/** What an operation of the node consists of; `run/` does for all of them what they share. */
export interface Operation<Input> {
	credential: CredentialName;

	/** What another run does with the items that are done, in one sentence. */
	rerunAdvice: string;

	/**
	 * Reads and checks the parameters of one item. It must not wait for anything: so all items of a
	 * run are checked before the first request is sent.
	 *
	 * @throws InvalidFieldError for a value that cannot be right
	 */
	read(node: IExecutePaginationFunctions): Input;

	/**
	 * Items of one run with the same key are performed one after the other.
	 *
	 * @returns undefined when the item need not wait for any other
	 */
	exclusiveKey?(input: Input, options: Options): string | undefined;

	/**
	 * @returns undefined when the run stopped before anything was sent
	 * @throws ServiceError or InvalidFieldError when the item fails
	 */
	perform(context: RequestContext, input: Input, options: Options): Promise<Result | undefined>;
}

/** What belongs to one item. */
export interface ItemContext {
	node: IExecutePaginationFunctions;
	/** What n8n made of the description of the node, for this item. */
	requestData: DeclarativeRestApiSettings.ResultOptions;
	run: Run;
	operation: Pick<Operation<unknown>, 'credential' | 'rerunAdvice'>;
	/** How often something was sent again for this item. */
	retries: number;
	/**
	 * Whether the item may be started; to be asked after a wait for something else than the service.
	 *
	 * @returns false when the run has stopped
	 * @throws ServiceError when the execution was canceled
	 */
	mayStart(): boolean;
}

/** What the requests of one item have in common. */
export interface RequestContext extends ItemContext {
	credential: ServiceCredential;
	/** The same as n8n handed it over, and gets it back with each request. */
	credentialData: ICredentialDataDecryptedObject;
}

/** The request that the description of the operation declares, with a body. */
export function declaredRequest(
	{ requestData: { options } }: ItemContext,
	body?: RequestBody,
): ServiceRequest {
	const { method = 'GET', url = '' } = options;
	return { method, path: url, ...(body === undefined ? {} : { body }) };
}
