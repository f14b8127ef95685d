import { npmSteps } from '../../scripts/localN8n/npm';
import { firstMinutes } from '../../scripts/start/firstMinutes';

const ports = { n8n: 5678, sandbox: 4010 };

test('the first start says why it takes long, and where everything will be', () => {
	const text = firstMinutes({ once: false }, ports);
	expect(text).toMatch(/^The first start takes .* because npm has to install n8n \d/);
	expect(text).toContain('http://127.0.0.1:5678 ');
	expect(text).toContain('http://127.0.0.1:4010 ');
	// A start that ends after the job names no address.
	expect(firstMinutes({ once: true }, ports)).not.toContain('http');
});

test('the steps of an installation are counted from what npm prints', () => {
	const steps: string[] = [];
	const read = npmSteps((step) => steps.push(step));
	read(
		'npm http fetch GET 200 https://npm.example/n8n 90ms\nnpm http cache https://npm.example/a\n',
	);
	read('npm warn deprecated x@1.0.0: gone\n');
	read('npm http fetch GET 200 https://npm.example/n8n/-/n8n-2.0.0.tgz 1ms (cache hit)\n');
	read('npm http cache https://npm.example/n8n/-/n8n-2.0.0.tgz 0ms (cache hit)\n');
	read('npm http cache https://npm.example/a/-/a-1.0.0.tgz 0ms (cache hit)\n');
	expect(steps).toEqual([
		'choosing versions: 2',
		'choosing versions: 2',
		'downloading packages: 1',
		'downloading packages: 1',
		'downloading packages: 2',
	]);
});
