import { stringify } from 'lossless-json';

/** JSON text in which a `LosslessNumber` keeps every digit, as the interface's "long integers" do. */
export function toExactJson(value: object): string {
	return stringify(value) ?? '';
}
