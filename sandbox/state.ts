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

const unset: Stored = { text: null, flag: false, amount: null, wholeNumber: '' };

/** What a page has before a request says more. */
export const emptyPage = Object.fromEntries(
	Object.entries(pageFields).map(([name, kind]) => [name, unset[kind]]),
) as Pick<Page, keyof typeof pageFields>;

/** The one webhook registration of the merchant; a new one takes its place. */
export interface Registration {
	webhookUrl: string; // as registration echoes it, and where events go: with a slash at its path's end
	requestedUrl: string; // the URL as the request carried it
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
	status: number | null; // HTTP status; null when there was no answer
	answer: string; // beginning of the answer's body
	error: string | null; // why there was no answer
}

/** Something that the service sends to an address of the merchant, with all its tries. */
export interface Delivery {
	id: string;
	kind: 'event' | 'callback' | 'forgery'; // a callback is the call of a page's `callBackUrl`
	forgery: string | null; // which kind of forgery; null for what the service really sends
	url: string;
	body: string;
	paymentPageLinkReference: string | null;
	resendOf: string | null; // ID of the delivery that this one repeats
	createdAt: string;
	status: 'waiting' | 'delivered' | 'failed'; // delivered: a try was answered 2xx
	tries: DeliveryTry[];
}

/** A request to the service's interface, as it was on the wire. */
export interface RecordedRequest {
	method: string;
	url: string; // path and query, still encoded
	headers: Record<string, string | string[] | undefined>;
	body: Buffer;
	keyUsed: 'privateKey' | 'apiKey' | 'other' | 'none';
	status: number | null; // of the answer; null when none was sent (yet), as after a cut connection
	fault: string | null; // the fault that the sandbox was told to make on this request
	at: number; // milliseconds since 1970 at which the request arrived
}

/** All that a sandbox remembers. */
export class SandboxState {
	pages = new Map<string, Page>(); // by ID, oldest first
	lastId: string | null = null; // ID of the newest page; null before the first one
	registration: Registration | null = null;
	payments: Payment[] = [];
	deliveries: Delivery[] = []; // oldest first; the last 2,000
	requests: RecordedRequest[] = []; // oldest first; the last 20,000
}

/** Adds to the end of a list that forgets its oldest entries. */
export function remember<T>(list: T[], entry: T, limit: number): void {
	list.push(entry);
	if (list.length > limit) list.shift();
}

/** Pages with this reference, oldest first; deleted ones too, since they keep their reference. */
export function pagesWithReference(
	{ state, settings }: { state: SandboxState; settings: SandboxSettings },
	reference: string,
): Page[] {
	const fold = (text: string) =>
		text
			.normalize('NFD')
			.replace(/\p{Mark}/gu, '')
			.toLowerCase();
	const key = (text: string) => (settings.foldsReferences ? fold(text) : text);
	const wanted = key(reference);
	return [...state.pages.values()].filter((page) => key(page.paymentPageLinkReference) === wanted);
}
