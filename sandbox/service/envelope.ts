/** What the service answers (docs/interface.md, "Response envelope"). */
export interface Envelope {
	responseCode: string;
	responseMessage: string;
	data?: object;
}

/** Codes of rejections, as in ISO 8583; the interface shows "00" alone ("Errors"). */
export const errorCodes = {
	invalidMerchant: '03',
	pageNotFound: '25',
	formatError: '30',
	wrongKey: '63',
	duplicateReference: '94',
	malfunction: '96',
} as const;

/** A rejection of the service, answered as an envelope. */
export class ServiceError extends Error {
	constructor(
		readonly responseCode: string,
		message: string,
		/** Every documented answer has status 200; other statuses are not shown ("Errors"). */
		readonly httpStatus = 200,
	) {
		super(message);
	}
}

export function success(responseMessage: string, data?: object): Envelope {
	return { responseCode: '00', responseMessage, ...(data ? { data } : {}) };
}
