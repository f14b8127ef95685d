/**
 * Loaded into n8n before n8n itself, for benchmarks alone: tells over HTTP, on the loopback address,
 * what n8n has used so far. The port is in BENCH_METER_PORT.
 *
 * `/processor` answers with milliseconds of processor time, `/memory` with the bytes of the heap that
 * are still in use after a garbage collection, `/resident` with all memory of the process after one,
 * and `/peak` with the most that the process had since its start.
 */
const { createServer } = require('node:http');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

function processorMilliseconds() {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

function memoryAfterCollection() {
	setFlagsFromString('--expose-gc');
	runInNewContext('gc')();
	return process.memoryUsage();
}

const figures = {
	'/processor': processorMilliseconds,
	'/memory': () => memoryAfterCollection().heapUsed,
	'/resident': () => memoryAfterCollection().rss,
	'/peak': () => process.resourceUsage().maxRSS * 1024,
};

// n8n's task runners inherit the settings; they are not what is measured.
if (process.argv[2] === 'start') {
	createServer((request, response) => response.end(String(figures[request.url]?.())))
		.listen(Number(process.env.BENCH_METER_PORT), '127.0.0.1')
		.unref();
}
