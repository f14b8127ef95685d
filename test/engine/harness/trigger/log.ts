import type { Logger } from 'n8n-workflow';

export interface LogLine {
	level: 'debug' | 'info' | 'warn' | 'error';
	message: string;
}

/** What was logged since the last `clearLog`, oldest first. */
export const logLines: LogLine[] = [];

const levels = ['debug', 'info', 'warn', 'error'] as const;

const heard = new WeakSet<Logger>();

/** Keeps what is logged. n8n-core has one logger for all contexts, which the tests made silent. */
export function listenTo(logger: Logger): void {
	if (heard.has(logger)) return;
	heard.add(logger);
	for (const level of levels) {
		logger[level] = (message) => {
			logLines.push({ level, message });
		};
	}
}

export function clearLog(): void {
	logLines.length = 0;
}
