/** n8n's scan in a process of its own: jest loads its parser twice, and some rules then find nothing. */
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const [kind, folder] = process.argv.slice(2);
// The scan keeps the second list to itself: compiled files, and package.json as it is published.
const patterns = kind === 'source' ? SOURCE_FILE_PATTERNS : ['**/*.js', 'package.json'];
const { passed, message, details } = await analyzePackage(folder, patterns);
console.log(JSON.stringify({ passed, report: details ?? message ?? '' }));
