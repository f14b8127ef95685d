import type { Response } from 'express';

/** An error that n8n answers with a status of its own. */
export class AnswerError extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly hint = '',
	) {
		super(message);
	}
}

/** n8n's hints for the two kinds of addresses, as n8n 2.41.1 words them. */
const hints = {
	production:
		"The workflow must be active for a production URL to run successfully. You can activate the workflow using the toggle in the top-right of the editor. Note that unlike test URL calls, production URL calls aren't shown on the canvas (only in the executions list)",
	test: "Click the 'Execute workflow' button on the canvas, then try again. (In test mode, the webhook only works for one call after you click this button)",
};

/**
 * What n8n says of an address at which nothing listens for the method.
 *
 * @param methods the methods for which something does
 */
export function notRegistered(
	kind: 'production' | 'test',
	method: string,
	path: string,
	methods: string[],
): AnswerError {
	const last = methods.at(-1);
	if (last === undefined) {
		// For a test address, n8n leaves the method out.
		const what = kind === 'test' ? path : `${method} ${path}`;
		return new AnswerError(404, `The requested webhook "${what}" is not registered.`, hints[kind]);
	}
	const list = methods.length === 1 ? last : `${methods.slice(0, -1).join(', ')} or ${last}`;
	return new AnswerError(
		404,
		`This webhook is not registered for ${method} requests. Did you mean to make a ${list} request?`,
	);
}

/** Answers a failed request; what is none of n8n's own errors has code 0 and status 500. */
export function answerError(response: Response, error: unknown): void {
	const message = error instanceof Error ? error.message : String(error);
	if (!(error instanceof AnswerError)) {
		response.status(500).json({ code: 0, message });
		return;
	}
	const { status, hint } = error;
	response.status(status).json({ code: status, message, ...(hint && { hint }) });
}
