import { isRecord } from '../../shared/values';

const lineEnd = '\r\n';

/**
 * A multipart form made anew from the fields that n8n read of it (RFC 7578). Its files are left out:
 * n8n keeps them in a place that a node of a package may not read.
 *
 * @param contentType of the original, whose boundary is kept
 * @param parsed the body as n8n read it
 */
export function multipartBody(contentType: unknown, parsed: unknown): Buffer {
	const [, boundary = ''] = /boundary="?([^";]+)/i.exec(String(contentType)) ?? [];
	const fields = isRecord(parsed) && isRecord(parsed.data) ? parsed.data : {};
	const parts = Object.entries(fields).flatMap(([name, value]) =>
		(Array.isArray(value) ? value : [value]).map((single: unknown) =>
			[
				`--${boundary}`,
				`Content-Disposition: form-data; name="${name.replaceAll('"', '%22')}"`,
				'',
				typeof single === 'string' ? single : JSON.stringify(single),
			].join(lineEnd),
		),
	);
	return Buffer.from([...parts, `--${boundary}--`, ''].join(lineEnd));
}
