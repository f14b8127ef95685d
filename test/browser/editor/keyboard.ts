import { manualTrigger, workflow } from '../../e2e/support/workflow';
import type { Stage } from '../support/stage';

export function testKeyboard(stage: () => Stage): void {
	test('adds the node, fills in its fields and runs it', async () => {
		const { editor, open, sandbox } = stage();
		await open(workflow('By keyboard', [manualTrigger()]));
		// TODO
		expect(sandbox.state.pages.size).toBe(0);
		expect(editor).toBeDefined();
	});
}
