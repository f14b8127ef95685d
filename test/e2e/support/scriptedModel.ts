import type { IDataObject } from 'n8n-workflow';
import { startAnsweringServer, type ServerAnswer } from '../../support/answeringServer';
import { cleanUp } from '../../support/cleanUp';
import type { Bed } from './bed';
import { withCredential } from './otherServices';
import { node } from './workflow';

interface Question {
	messages: Array<{ role: string; content: unknown }>;
	/** As the model is told of them. */
	tools?: Array<{
		function: { name: string; description: string; parameters: { properties: IDataObject } };
	}>;
	stream?: boolean;
}

/** A call that the model makes; of its only tool, if it names none. */
export interface ToolCall {
	tool?: string;
	args: IDataObject;
}

/** One answer of the chat API; older agents ask for it as a stream of events. */
function answerWith(message: object, reason: string, isStream = false): ServerAnswer {
	const choice = { index: 0, [isStream ? 'delta' : 'message']: message, finish_reason: reason };
	const body = JSON.stringify({
		id: 'chatcmpl-1',
		object: isStream ? 'chat.completion.chunk' : 'chat.completion',
		created: 1,
		model: 'scripted',
		choices: [choice],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	});
	if (!isStream) return { body };
	const headers = { 'content-type': 'text/event-stream' };
	return { headers, body: `data: ${body}\n\ndata: [DONE]\n\n` };
}

/**
 * Starts a language model that speaks OpenAI's chat API and always does what the test has written down.
 *
 * @param turns what it calls in each of its turns; after the last it says "Done."
 */
export async function startScriptedModel(bed: Bed, turns: ToolCall[][]) {
	let last: Question = { messages: [] };
	let turn = 0;
	const server = await startAnsweringServer(({ body }) => {
		last = JSON.parse(body) as Question;
		// An agent may hand back the calls of one turn as several, so they cannot be counted.
		const calls = turns[turn]?.map(({ tool, args }, index) => {
			const name = tool ?? last.tools?.[0]?.function.name;
			const called = { name, arguments: JSON.stringify(args) };
			return { index, id: `call_${turn}_${index}`, type: 'function', function: called };
		});
		turn++;
		const message = { role: 'assistant', content: calls ? null : 'Done.', tool_calls: calls };
		return answerWith(message, calls ? 'tool_calls' : 'stop', last.stream);
	});
	cleanUp(() => server.stop());
	const data = { apiKey: 'none', url: server.baseUrl };
	const name = 'Scripted model';
	const credential = await bed.client.saveCredential({ name, type: 'openAiApi', data });
	const parameters = {
		model: { __rl: true, mode: 'id', value: 'scripted' },
		responsesApiEnabled: false,
		options: { maxRetries: 0 },
	};
	const more = { typeVersion: 1.3, ...withCredential(credential) };
	return {
		/** The node for it. */
		node: node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', parameters, more),
		/** What its calls of tools gave, in the order of the calls; nothing of one that told nothing. */
		results: () =>
			last.messages
				.filter(({ role }) => role === 'tool')
				.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
				.map((text) => (text === '' ? [] : (JSON.parse(text) as IDataObject[]))),
		/** The tools that it was offered. */
		tools: () => (last.tools ?? []).map((tool) => tool.function),
	};
}
