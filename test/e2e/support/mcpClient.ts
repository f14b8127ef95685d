import type { IDataObject } from 'n8n-workflow';

interface Reply {
	result?: { content?: Array<{ text: string }> };
}

/** As much of an MCP client as calling a tool takes (streamable HTTP). */
export class McpClient {
	private session: string | undefined;
	private lastId = 0;

	private constructor(private readonly url: string) {}

	static async connect(url: string): Promise<McpClient> {
		const client = new McpClient(url);
		await client.send('initialize', {
			protocolVersion: '2025-03-26',
			capabilities: {},
			clientInfo: { name: 'test', version: '1' },
		});
		await client.send('notifications/initialized', {}, null);
		return client;
	}

	/** @returns the text that the tool gives */
	async callTool(name: string, args: IDataObject): Promise<string> {
		const { result } = await this.send('tools/call', { name, arguments: args });
		return result?.content?.map(({ text }) => text).join('') ?? '';
	}

	/** @param id null for a notification, which has none */
	private async send(
		method: string,
		params: object,
		id: number | null = ++this.lastId,
	): Promise<Reply> {
		const answer = await fetch(this.url, {
			method: 'POST',
			headers: {
				Accept: 'application/json, text/event-stream',
				'Content-Type': 'application/json',
				...(this.session === undefined ? {} : { 'mcp-session-id': this.session }),
			},
			body: JSON.stringify({ jsonrpc: '2.0', method, params, ...(id === null ? {} : { id }) }),
		});
		this.session ??= answer.headers.get('mcp-session-id') ?? undefined;
		const text = await answer.text();
		if (!answer.ok) throw new Error(`MCP ${method}: HTTP ${answer.status} ${text}`);
		// JSON, or a stream of events with the JSON behind "data:".
		const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
		return data === '' ? {} : (JSON.parse(data) as Reply);
	}
}
