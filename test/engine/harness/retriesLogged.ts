import './environment';

import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';

import { clearLog, listenTo, logLines } from './trigger/log';

beforeEach(() => {
	listenTo(Container.get(Logger));
	clearLog();
});

/** How often the node has sent a request again in this test: n8n's log alone tells. */
export function retriesLogged(): number {
	return logLines.filter(({ message }) => message.includes('retrying a request')).length;
}
