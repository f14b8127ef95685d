import type { SandboxSettings } from './settings';
import type { DeliveryHeaders } from './signing';

/** The fields that a page gets by requests (docs/interface.md, "Payment page"), with their kinds. */
export const pageFields = {
	businessName: 'text',
	merchantId: 'wholeNumber',
	pageName: 'text',
	description: 'text',
	amount: 'amount',
	isFixedAmount: 'flag',
	isPhoneNumberRequired: 'flag',
	paymentPageLink: 'text',
	paymentPageLinkReference: 'text',
	callBackUrl: 'text',
	successMessage: 'text',
	notificationEmail: 'text',
	isTestMode: 'flag',
	additionalFields: 'text',
} as const;

type Stored = { text: string | null; flag: boolean; amount: number | null; wholeNumber: string };

/**
 * A payment page as the service keeps it. Whole numbers are decimal digits, so that none is rounded; a
 * text or amount that was never given is null.
 */
export type Page = { [Name in keyof typeof pageFields]: Stored[(typeof pageFields)[Name]] } & {
	id: string;
	paymentPageLink: string;
	paymentPageLinkReference: string;
	pageType: string | null;
	isActive: boolean;
	dateCreated: string;
	isDeleted: boolean;
};

/** The one webhook registration of the merchant; a new one takes its place. */
export interface Registration {
	/** The URL that registration echoes and that events go to: with the slash at the path's end. */
	webhookUrl: string;
	/** The URL as the request carried it. */
	requestedUrl: string;
	merchantId: string;
	secret: string;
	registeredAt: string;
}

export interface Payment {
	id: string;
	pageId: string;
	paymentPageLinkReference: string;
	amount: number;
	phoneNumber: string | null;
	paidAt: string;
}

/** One attempt to deliver, with what the receiver answered. */
export interface DeliveryTry {
	at: string;
	milliseconds: number;
	headers: DeliveryHeaders;
	/** HTTP status; null when there was no answer. */
	status: number | null;
	/** Beginning of the answer's body. */
	answer: string;
	/** Why there was no answer. */
	error: string | null;
}

/** Something that the service sends to an address of the merchant, with all its tries. */
export interface Delivery {
	id: string;
	/** A webhook event, the call of a page's `callBackUrl`, or a forged event. */
	kind: 'event' | 'callback' | 'forgery';
	/** Which kind of forgery; null for what the service really sends. */
	forgery: string | null;
	url: string;
	body: string;
	paymentPageLinkReference: string | null;
	/** ID of the delivery that this one repeats. */
	resendOf: string | null;
	createdAt: string;
	/** `waiting` until a try is answered 2xx (`delivered`) or no try is left (`failed`). */
	status: 'waiting' | 'delivered' | 'failed';
	tries: DeliveryTry[];
}

/** A request to the service's interface, as it was on the wire. */
export interface RecordedRequest {
	method: string;
	/** Path and query, still encoded. */
	url: string;
	headers: Record<string, string | string[] | undefined>;
	body: Buffer;
	keyUsed: 'privateKey' | 'apiKey' | 'other' | 'none';
	/** HTTP status of the answer; null when none was sent (yet), as after a cut connection. */
	status: number | null;
	/** The fault that the sandbox was told to make on this request. */
	fault: string | null;
	/** Milliseconds since 1970 at which the request arrived. */
	at: number;
}

/** All that a sandbox remembers. */
export class SandboxState {
	/** By ID, oldest first. Pages with the same reference stand side by side. */
	pages = new Map<string, Page>();
	/** ID of the newest page; null before the first one. */
	lastId: string | null = null;
	registration: Registration | null = null;
	payments: Payment[] = [];
	/** Oldest first; the last 2,000. */
	deliveries: Delivery[] = [];
	/** Oldest first; the last 20,000. */
	requests: RecordedRequest[] = [];
}

/** Adds to the end of a list that forgets its oldest entries. */
export function remember<T>(list: T[], entry: T, limit: number): void {
	list.push(entry);
	if (list.length > limit) list.shift();
}

function folded(reference: string): string {
	return reference
		.normalize('NFD')
		.replace(/\p{Mark}/gu, '')
		.toLowerCase();
}

/** Pages with this reference, oldest first; deleted ones too, since they keep their reference. */
export function pagesWithReference(
	{ state, settings }: { state: SandboxState; settings: SandboxSettings },
	reference: string,
): Page[] {
	const key = (text: string) => (settings.foldsReferences ? folded(text) : text);
	const wanted = key(reference);
	const all = [...state.pages.values()];
	return all.filter((page) => key(page.paymentPageLinkReference) === wanted);
}
