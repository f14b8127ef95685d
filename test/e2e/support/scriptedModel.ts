import type { IDataObject, INode } from 'n8n-workflow';
import { startAnsweringServer } from '../../engine/answeringServer';
import type { TestBed } from './testBed';
import { withCredential } from './otherServices';
import { node } from './workflow';

interface Message {
	role: string;
	content: unknown;
}

interface Question {
	messages: Message[];
	tools?: Array<{ function: { name: string } }>;
}

/** A language model that speaks OpenAI's chat API and always does what the test has written down. */
export interface ScriptedModel {
	/** The node for it, named "Model". */
	node: INode;
	/** What its calls of the tool gave, in the order of the calls. */
	results(): string[];
	stop(): Promise<void>;
}

function toolCall(question: Question, args: IDataObject, index: number): object {
	const name = question.tools?.[0]?.function.name;
	return {
		id: `call_${index}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(args) },
	};
}

/** @param calls what it calls its only tool with, all in its first turn; then it says "Done." */
export async function startScriptedModel(
	bed: TestBed,
	calls: IDataObject[],
): Promise<ScriptedModel> {
	let results: string[] = [];
	const server = await startAnsweringServer(({ body }) => {
		const question = JSON.parse(body) as Question;
		results = question.messages
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
		const isFirstTurn = results.length === 0;
		const message = isFirstTurn
			? {
					role: 'assistant',
					content: null,
					tool_calls: calls.map((args, index) => toolCall(question, args, index)),
				}
			: { role: 'assistant', content: 'Done.' };
		return {
			body: JSON.stringify({
				id: 'chatcmpl-1',
				object: 'chat.completion',
				created: 1,
				model: 'scripted',
				choices: [{ index: 0, message, finish_reason: isFirstTurn ? 'tool_calls' : 'stop' }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			}),
		};
	});
	const credential = await bed.client.createCredential({
		name: 'Scripted model',
		type: 'openAiApi',
		data: { apiKey: 'none', url: server.baseUrl },
	});
	return {
		node: node(
			'Model',
			'@n8n/n8n-nodes-langchain.lmChatOpenAi',
			{
				model: { __rl: true, mode: 'id', value: 'scripted' },
				responsesApiEnabled: false,
				options: { maxRetries: 0 },
			},
			{ typeVersion: 1.3, ...withCredential(credential) },
		),
		results: () => results,
		stop: async () => {
			await server.stop();
			await bed.client.deleteCredential(credential.id);
		},
	};
}
