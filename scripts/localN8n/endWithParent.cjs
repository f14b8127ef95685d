/**
 * Loaded into n8n before n8n itself. The process that starts n8n has a channel to it, which closes
 * however that process ends, also when it is killed; then n8n ends too, within 10 s.
 */
process.on('disconnect', () => {
	process.kill(process.pid, 'SIGTERM');
	setTimeout(() => process.kill(process.pid, 'SIGKILL'), 10_000).unref();
});
