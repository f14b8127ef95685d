import type { IncomingHttpHeaders } from 'node:http';
import type { NextFunction, Request, Response } from 'express';

/** Marks a request from outside n8n; it is taken off before n8n sees it. */
export const outsideHeader = 'x-from-outside';

/** How n8n reaches its own public addresses, which no fact about the service's way there says. */
export class Reach {
	/** Off, a request of n8n to itself finds no connection, as behind many a router. */
	works = true;
	/** All that n8n has sent to itself. */
	readonly requests: Array<{ headers: Record<string, string> }> = [];

	readonly middleware = (request: Request, _: Response, next: NextFunction): void => {
		const { [outsideHeader]: mark, ...headers } = request.headers;
		request.headers = headers;
		if (mark === undefined) this.requests.push({ headers: textsOf(headers) });
		if (this.works || mark !== undefined) next();
		else request.socket.destroy();
	};
}

const textsOf = (headers: IncomingHttpHeaders): Record<string, string> =>
	Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
