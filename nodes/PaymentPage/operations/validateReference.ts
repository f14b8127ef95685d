import { privateKeyCredential } from '../../shared/credential';
import { InvalidFieldError } from '../../shared/errors';
import { pageExistsIn, validateReferenceRequest } from '../../shared/service/request';
import { toPathSegment } from '../../shared/values';
import { fieldsWithoutValue, judgeEach, toBody } from '../fields/checks';
import { readField, toPageReading, type PageReading } from '../fields/readPage';
import { declaredRequest, type Operation } from '../run/runItem';
import { sendWithRetries } from '../run/send';

const field = 'paymentPageLinkReference';

/** Validate payment page reference (docs/interface.md, "Validate payment page reference"). */
export const validateReference: Operation<PageReading, string> = {
	credential: privateKeyCredential,

	rerunAdvice: () => 'A new run checks all rows again.',

	read: (context) => toPageReading({ [field]: readField(context, field) }),

	judge(readings) {
		const withoutValue = fieldsWithoutValue(readings);
		return judgeEach(readings, (reading) => {
			const { [field]: reference } = toBody(reading, withoutValue, [field]);
			if (typeof reference !== 'string') {
				throw new InvalidFieldError("'Reference'", 'is empty', 'Enter the reference to check.');
			}
			toPathSegment(reference);
			return reference;
		});
	},

	async perform(context, reference) {
		// The reference follows what is declared, as one segment of the path.
		const request = validateReferenceRequest(reference, declaredRequest(context).path);
		const exists = pageExistsIn(await sendWithRetries(context, request, { isRepeatable: true }));
		return { [field]: reference, exists, available: !exists, isValid: exists };
	},
};
