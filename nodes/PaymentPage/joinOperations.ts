import type { INodeProperties } from 'n8n-workflow';

/**
 * Makes one property of those that differ in nothing but the operation that shows them. n8n evaluates
 * an expression twice for each property with the name of the parameter, shown or not.
 */
export function joinOperations(properties: readonly INodeProperties[]): INodeProperties[] {
	const joined = new Map<string, INodeProperties>();
	for (const property of properties) {
		const show = { ...property.displayOptions?.show };
		const rest = JSON.stringify({
			...property,
			displayOptions: { ...property.displayOptions, show: { ...show, operation: undefined } },
		});
		const operation = [
			...(joined.get(rest)?.displayOptions?.show?.operation ?? []),
			...(show.operation ?? []),
		];
		const displayOptions = { ...property.displayOptions, show: { ...show, operation } };
		joined.set(rest, { ...property, displayOptions });
	}
	return [...joined.values()];
}
