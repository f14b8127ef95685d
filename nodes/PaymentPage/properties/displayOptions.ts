import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

type Conditions = NonNullable<IDisplayOptions['show']>;

/** Shows each property only where all the given parameters have one of the given values. */
export function updateDisplayOptions(
	{ show }: { show: Conditions },
	properties: INodeProperties[],
): INodeProperties[] {
	return properties.map((property) => ({
		...property,
		displayOptions: {
			...property.displayOptions,
			show: { ...property.displayOptions?.show, ...show },
		},
	}));
}
