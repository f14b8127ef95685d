import { readOptions } from '../../bench/shared/options';
import { PlainError } from '../../scripts/shared/plainError';

test('measures everything when no part is named, and writes nothing', () => {
	const { parts, write, workflows, loads } = readOptions([]);
	expect(parts).toEqual(['verification', 'events', 'items', 'soak', 'load', 'many', 'list']);
	expect({ write, workflows, loads }).toEqual({ write: false, workflows: 200, loads: 25 });
});

test('takes parts and numbers as they are given', () => {
	const options = readOptions(['many', 'load', '--workflows', '50', '--rounds', '5', '--write']);
	expect(options).toMatchObject({
		parts: ['many', 'load'],
		write: true,
		workflows: 50,
		rounds: 5,
		items: 1000,
	});
});

test.each([
	[['speed'], 'There is no part "speed".'],
	[['--workflows', '0'], '--workflows must be a whole number from 1 on, but is "0".'],
	[['--rounds', '1.5'], '--rounds must be a whole number from 1 on, but is "1.5".'],
	[['--twice'], "Unknown option '--twice'"],
])('refuses %j and says how it is used', (commandLine, message) => {
	expect(() => readOptions(commandLine)).toThrow(PlainError);
	expect(() => readOptions(commandLine)).toThrow(message);
	expect(() => readOptions(commandLine)).toThrow(/\nnpm run bench -- \[verification\]/);
});
