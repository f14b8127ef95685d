/** A copy by way of JSON: what n8n's database and cache give back. */
export function copyOf<T>(value: T): T {
	return JSON.parse(JSON.stringify(value)) as T;
}
