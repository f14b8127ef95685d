import { Oracle } from './trigger/oracle';
import { calm, take, type Step } from './trigger/steps';
import { World } from './trigger/world';
test('x', async () => {
	const world = await World.start();
	try {
		const oracle = new Oracle(world);
		const all = JSON.parse(process.env.STEPS ?? '[]') as Step[];
		for (const step of all) {
			await take(world, oracle, step);
			console.log(
				JSON.stringify(step),
				JSON.stringify([...world.service.registered.values()]),
				JSON.stringify(oracle.triggers),
				JSON.stringify([...oracle.messages.values()].at(-1)?.sent),
				JSON.stringify(world.log.splice(0)),
			);
		}
		await calm(world, oracle);
		console.log('end', JSON.stringify([...world.service.registered.values()]), world.log);
	} finally {
		await world.stop();
	}
}, 60000);
