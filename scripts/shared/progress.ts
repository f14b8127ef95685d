const secondsBetweenLines = 30;

function minutesAndSeconds(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * Shows that a long step is alive: on a terminal one line that counts the seconds, elsewhere (a CI
 * log) a line every 30 seconds. `work` gets a function with which it names the step it is at.
 */
export async function withProgress<T>(
	title: string,
	work: (setStep: (step: string) => void) => Promise<T>,
): Promise<T> {
	const started = Date.now();
	const terminal = process.stderr.isTTY;
	let step = '';
	const line = () =>
		`${title} ... ${minutesAndSeconds(Date.now() - started)}${step ? `  ${step}` : ''}`;
	const show = () => process.stderr.write(terminal ? `\r\u001b[2K${line()}` : `${line()}\n`);

	show();
	const timer = setInterval(show, terminal ? 1000 : secondsBetweenLines * 1000);
	try {
		const result = await work((next) => (step = next));
		step = 'done';
		return result;
	} finally {
		clearInterval(timer);
		show();
		if (terminal) process.stderr.write('\n');
	}
}
