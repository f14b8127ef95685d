/** Prints rows under a heading, text to the left and numbers to the right. */
export function printTable(
	heading: readonly string[],
	rows: ReadonlyArray<ReadonlyArray<string | number>>,
): void {
	const lines = [heading, ...rows];
	const widths = heading.map((_, column) =>
		Math.max(...lines.map((line) => String(line[column] ?? '').length)),
	);
	const pad = (cell: string | number, column: number): string => {
		const width = widths[column] ?? 0;
		const isNumber = typeof rows[0]?.[column] === 'number';
		return isNumber ? String(cell).padStart(width) : String(cell).padEnd(width);
	};
	for (const line of lines) console.log(`  ${line.map(pad).join('  ').trimEnd()}`);
}

/** A number with one digit after the point. */
export function oneDigit(value: number): number {
	return Math.round(value * 10) / 10;
}

/** A number with two digits after the point, for ratios. */
export function twoDigits(value: number): number {
	return Math.round(value * 100) / 100;
}

/** A number with three digits after the point, for ratios near 1. */
export function threeDigits(value: number): number {
	return Math.round(value * 1000) / 1000;
}
