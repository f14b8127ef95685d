/**
 * Runs n8n's official scan on a package: `node runScan.mjs source|tarball <folder>` prints its
 * verdict as JSON.
 *
 * It needs a process of its own: under jest the scan's parser is loaded twice, and rules that look
 * for the other copy's syntax tree then find nothing in any source.
 */
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const patterns = {
	source: SOURCE_FILE_PATTERNS,
	// The scan keeps this list to itself; it looks at compiled files and the published package.json.
	tarball: ['**/*.js', 'package.json'],
};

const [kind, folder] = process.argv.slice(2);
const { passed, message, details } = await analyzePackage(folder, patterns[kind]);
console.log(JSON.stringify({ passed, report: details ?? message ?? '' }));
