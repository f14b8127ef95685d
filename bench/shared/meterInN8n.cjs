/**
 * Loaded into n8n before n8n itself, for benchmarks alone: tells over HTTP, on the loopback address,
 * what n8n has used so far. The port is in BENCH_METER_PORT.
 *
 * `/processor` answers with milliseconds of processor time, `/memory` with the bytes of the heap that
 * are still in use after a garbage collection.
 */
const { createServer } = require('node:http');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

function processorMilliseconds() {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

function liveHeapBytes() {
	setFlagsFromString('--expose-gc');
	runInNewContext('gc')();
	return process.memoryUsage().heapUsed;
}

const figures = { '/processor': processorMilliseconds, '/memory': liveHeapBytes };

// n8n's task runners inherit the settings; they are not what is measured.
if (process.argv[2] === 'start') {
	createServer((request, response) => response.end(String(figures[request.url]?.())))
		.listen(Number(process.env.BENCH_METER_PORT), '127.0.0.1')
		.unref();
}
