import { isBlank } from '../../../../shared/fields/fieldValues';

/** Whether a value holds nothing, not even in a list or an object. */
export function isHollow(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return isBlank(value);
	// A date has no members of its own.
	return !('toJSON' in value) && Object.values(value).every(isHollow);
}
