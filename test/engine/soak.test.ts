import type { IDataObject } from 'n8n-workflow';

import { mixedFaults } from '../../sandbox';
import { automatic, useSandbox } from './sandbox';

/**
 * Many creates against a service that fails in every way now and then; what failed is run again with
 * "skip" until all are done. `SOAK_PAGES=5000` makes it the long one.
 */
const pages = Number(process.env.SOAK_PAGES ?? 500);

const sandbox = useSandbox();

test(`${pages} pages: none missing, none twice`, async () => {
	// The shortest waits before a retry.
	jest.spyOn(Math, 'random').mockReturnValue(0);
	sandbox.service.configure({ faults: mixedFaults });
	const references = Array.from({ length: pages }, (_value, index) => `page-${index}`);
	const rows: IDataObject[] = references.map((reference) => ({
		paymentPageLinkReference: reference,
	}));

	let missing = rows;
	let runs = 0;
	for (; missing.length > 0; runs++) {
		expect(runs).toBeLessThan(10);
		const { output, errorOutput } = await sandbox.run({
			rows: missing,
			parameters: automatic('create', { ifReferenceExists: 'skip', maxParallelRequests: 20 }),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(output.length + errorOutput.length).toBe(missing.length);
		// The error output carries the input of what failed, so it can be sent round again as it is.
		missing = errorOutput.map(({ json }) => json);
	}

	const made = sandbox.service.faults.reduce((sum, fault) => sum + fault.made, 0);
	expect(made).toBeGreaterThan(pages * 0.05);
	expect(runs).toBeGreaterThan(1);
	const stored = [...sandbox.service.state.pages.values()];
	expect(stored.map((page) => page.paymentPageLinkReference).sort()).toEqual(references.sort());
}, 600_000);
