/**
 * One process for each measurement: it loads the files that are its arguments as n8n loads
 * nodes and credentials, and prints what that took. What n8n itself has loaded by then does not count.
 */
const path = require('node:path');
for (const name of ['n8n-core', 'n8n-workflow']) {
	require(require.resolve(name, { paths: [process.env.NODE_PATH] }));
}

function liveBytes() {
	globalThis.gc();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

const modulesBefore = Object.keys(require.cache).length;
const bytesBefore = liveBytes();
const startedAt = performance.now();
// Kept, as n8n keeps them.
const loaded = process.argv.slice(2).map((file) => {
	const [className] = path.basename(file).split('.');
	return new (require(file)[className])();
});
const milliseconds = performance.now() - startedAt;
const bytes = liveBytes() - bytesBefore;

console.log(
	JSON.stringify({
		loaded: loaded.length,
		modules: Object.keys(require.cache).length - modulesBefore,
		milliseconds,
		megabytes: bytes / 1024 ** 2,
	}),
);
