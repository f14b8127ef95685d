import type { NextFunction, Request, Response } from 'express';

/** Marks a request from outside n8n; it is taken off before n8n sees it. */
export const outsideHeader = 'x-from-outside';

/** A request that n8n sent to itself. */
export interface OwnRequest {
	/** Path and query. */
	url: string;
	headers: Record<string, string>;
}

/** How n8n reaches its own public addresses, which no fact about the service's way there says. */
export class Reach {
	/** Off, a request of n8n to itself finds no connection, as behind many a router. */
	works = true;
	/** All that n8n has sent to itself. */
	readonly requests: OwnRequest[] = [];

	readonly middleware = (request: Request, _: Response, next: NextFunction): void => {
		if (request.headers[outsideHeader] !== undefined) {
			Reflect.deleteProperty(request.headers, outsideHeader);
			next();
			return;
		}
		const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
		this.requests.push({
			url: request.url,
			headers: Object.fromEntries(headers) as Record<string, string>,
		});
		if (this.works) next();
		else request.socket.destroy();
	};
}
