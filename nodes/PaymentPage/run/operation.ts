import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';

import type { CredentialName } from '../../shared/credentials/credential';
import type { Envelope } from '../../shared/service/api';
import type { Options } from '../properties/options';
import type { CallContext } from './withRetries';

export interface Result {
	/** The useful part of the answer, as the node returns it. */
	output: IDataObject;
	/** The answer as it came, for the option "Full Response"; absent when nothing was asked. */
	envelope?: Envelope;
}

/** What an operation of the node consists of; `run/` does for all of them what they share. */
export interface Operation<Input> {
	credential: CredentialName;

	/** What another run does with the items that are done, in one sentence. */
	rerunAdvice: string;

	/**
	 * Reads and checks the parameters of one item. It must not wait for anything: so all items of a
	 * run are checked before the first request leaves.
	 *
	 * @throws InvalidFieldError for a value that cannot be right
	 */
	read(node: IExecutePaginationFunctions): Input;

	/**
	 * Items of one run with the same turn are performed one after the other.
	 *
	 * @returns undefined when the item need not wait for any other
	 */
	exclusiveKey?(input: Input, options: Options): string | undefined;

	/**
	 * @returns undefined when the run stopped before anything was sent
	 * @throws ServiceError or InvalidFieldError when the item fails
	 */
	perform(context: CallContext, input: Input, options: Options): Promise<Result | undefined>;
}
