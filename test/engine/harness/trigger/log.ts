import type { Logger } from 'n8n-workflow';

/** What was logged since the last `clearLog`, oldest first. */
export const logLines: Array<{ level: string; message: string }> = [];

/** Keeps what is logged. n8n-core has one logger for all contexts, which the tests made silent. */
export function listenTo(logger: Logger): void {
	for (const level of ['debug', 'info', 'warn', 'error'] as const) {
		logger[level] = (message) => void logLines.push({ level, message });
	}
}

export function clearLog(): void {
	logLines.length = 0;
}
