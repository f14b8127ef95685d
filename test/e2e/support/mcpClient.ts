import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';

interface Reply {
	result?: { content?: Array<{ text: string }>; isError?: boolean };
}

/** An answer is JSON, or a stream of events with the JSON behind "data:". */
function readReply(body: string): Reply {
	const data = /^data: (.*)$/m.exec(body)?.[1] ?? body;
	return data === '' ? {} : (JSON.parse(data) as Reply);
}

/** As much of an MCP client as calling a tool takes (streamable HTTP). */
export class McpClient {
	private session: string | undefined;
	private lastId = 0;

	constructor(private readonly url: string) {}

	async connect(): Promise<void> {
		await this.send('initialize', {
			protocolVersion: '2025-03-26',
			capabilities: {},
			clientInfo: { name: 'test', version: '1' },
		});
		await this.send('notifications/initialized');
	}

	/** @returns the text that the tool gives */
	async callTool(name: string, args: IDataObject): Promise<string> {
		const { result } = await this.send('tools/call', { name, arguments: args });
		return result?.content?.map(({ text }) => text).join('') ?? '';
	}

	private async send(method: string, params: IDataObject = {}): Promise<Reply> {
		const isNotification = method.startsWith('notifications/');
		const { data, headers } = await axios.post<string>(
			this.url,
			{ jsonrpc: '2.0', method, params, ...(isNotification ? {} : { id: ++this.lastId }) },
			{
				headers: {
					Accept: 'application/json, text/event-stream',
					...(this.session === undefined ? {} : { 'mcp-session-id': this.session }),
				},
				responseType: 'text',
				transformResponse: (text: string) => text,
			},
		);
		this.session ??= headers['mcp-session-id'] as string | undefined;
		return readReply(data);
	}
}
