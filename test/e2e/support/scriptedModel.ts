import type { IDataObject, INode } from 'n8n-workflow';
import { startAnsweringServer, type ServerAnswer } from '../../engine/answeringServer';
import type { Bed } from './testBed';
import { withCredential } from './otherServices';
import { node } from './workflow';

interface Message {
	role: string;
	content: unknown;
}

/** A tool as the model is told of it. */
export interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties: Record<string, IDataObject> };
}

interface Question {
	messages: Message[];
	tools?: Array<{ function: OfferedTool }>;
	stream?: boolean;
}

/** A call that the model makes; of its only tool, if it names none. */
export interface ToolCall {
	tool?: string;
	args: IDataObject;
}

/** A language model that speaks OpenAI's chat API and always does what the test has written down. */
export interface ScriptedModel {
	/** The node for it, named "Model". */
	node: INode;
	/** What its calls of tools gave, in the order of the calls. */
	results(): string[];
	/** The tools that it was offered. */
	tools(): OfferedTool[];
	stop(): Promise<void>;
}

function toolCall(
	{ tools = [] }: Question,
	{ tool, args }: ToolCall,
	turn: number,
	index: number,
): object {
	const name = tool ?? tools[0]?.function.name;
	const id = `call_${turn}_${index}`;
	return { index, id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
}

/** One answer of the chat API; older agents ask for it as a stream of events. */
function answerWith(message: object, reason: string, isStream: boolean): ServerAnswer {
	const answer = { id: 'chatcmpl-1', created: 1, model: 'scripted' };
	if (!isStream) {
		return {
			body: JSON.stringify({
				...answer,
				object: 'chat.completion',
				choices: [{ index: 0, message, finish_reason: reason }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			}),
		};
	}
	const chunk = {
		...answer,
		object: 'chat.completion.chunk',
		choices: [{ index: 0, delta: message, finish_reason: reason }],
	};
	return {
		headers: { 'content-type': 'text/event-stream' },
		body: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`,
	};
}

/** @param turns what it calls in each of its turns; after the last it says "Done." */
export async function startScriptedModel(bed: Bed, turns: ToolCall[][]): Promise<ScriptedModel> {
	let results: string[] = [];
	let offered: OfferedTool[] = [];
	let asked = 0;
	const server = await startAnsweringServer(({ body }) => {
		const question = JSON.parse(body) as Question;
		offered = (question.tools ?? []).map((tool) => tool.function);
		results = question.messages
			.filter(({ role }) => role === 'tool')
			.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
		// An agent may hand back the calls of one turn as several, so they cannot be counted.
		const turn = asked++;
		const calls = turns[turn];
		const message = calls
			? {
					role: 'assistant',
					content: null,
					tool_calls: calls.map((call, index) => toolCall(question, call, turn, index)),
				}
			: { role: 'assistant', content: 'Done.' };
		return answerWith(message, calls ? 'tool_calls' : 'stop', question.stream === true);
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
		tools: () => offered,
		stop: async () => {
			await server.stop();
			await bed.client.deleteCredential(credential.id);
		},
	};
}
