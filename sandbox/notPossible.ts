/** Something that was asked of the sandbox but cannot be done now; answered with HTTP 409. */
export class NotPossible extends Error {
	readonly statusCode = 409;
}
