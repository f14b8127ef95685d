const { dest, parallel, src } = require('gulp');

/** Icons are read as bytes: a text encoding could change them on the way. */
function icons() {
	return src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
}

/** The codex files beside the nodes tell n8n's node search what a node is for. */
function codex() {
	return src('nodes/**/*.node.json', { base: 'nodes' }).pipe(dest('dist/nodes'));
}

exports.default = parallel(icons, codex);
