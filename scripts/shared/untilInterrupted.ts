/**
 * Resolves on Ctrl-C or SIGTERM. From then on further ones do nothing, since a terminal's Ctrl-C may
 * arrive twice, once directly and once through the parent, and must not break off the clean-up.
 */
export function untilInterrupted(): Promise<void> {
	return new Promise((resolve) => {
		const interrupted = () => resolve();
		process.on('SIGINT', interrupted);
		process.on('SIGTERM', interrupted);
	});
}
