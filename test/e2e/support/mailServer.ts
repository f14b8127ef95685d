import type { AddressInfo, Socket } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import type { N8nClient } from '../../../scripts/localN8n/client';
import type { WorkflowContent } from '../../../scripts/localN8n/types';
import { withCredential } from './otherServices';

/** A mail server for the file that calls it: keeps what it is sent, and fails when it is told to. */
export function useMailServer() {
	const mails: Array<{ to: string; subject: string; text: string }> = [];
	const sockets = new Set<Socket>();
	const mailServer = {
		/** Addresses for which it takes no mail at the moment. */
		rejected: new Set<string>(),
		/** Is called once, with the next mail, before the sender is told that it arrived. */
		onNextMail: undefined as (() => unknown) | undefined,
		/** Ends all connections at once, in the middle of a mail, too. */
		cut: () => sockets.forEach((socket) => socket.destroy()),
		/** The mails since this was asked last, oldest first. */
		takeMails: () => mails.splice(0),
		/** A workflow whose mails go to this server. */
		async sendingHere(client: N8nClient, content: WorkflowContent): Promise<WorkflowContent> {
			const { port } = server.server.address() as AddressInfo;
			const data = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
			const saved = await client.saveCredential({ name: 'Mail server', type: 'smtp', data });
			const nodes = content.nodes.map((node) =>
				node.type === 'n8n-nodes-base.emailSend' ? { ...node, ...withCredential(saved) } : node,
			);
			return { ...content, nodes };
		},
	};
	const server = new SMTPServer({
		disabledCommands: ['AUTH', 'STARTTLS'],
		disableReverseLookup: true,
		onRcptTo({ address }, _session, callback) {
			const rejection = Object.assign(new Error('Try again later'), { responseCode: 450 });
			callback(mailServer.rejected.has(address) ? rejection : null);
		},
		onData(stream, _session, callback) {
			const receive = async () => {
				const { to, subject = '', text = '' } = await simpleParser(stream);
				const addresses = [to ?? []].flat().map((address) => address.text);
				mails.push({ to: addresses.join(', '), subject, text });
				const then = mailServer.onNextMail;
				mailServer.onNextMail = undefined;
				await then?.();
			};
			receive().then(() => callback(), callback);
		},
	});
	// A client whose connection is cut.
	server.on('error', () => undefined);
	server.server.on('connection', (socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
	});
	beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
	afterAll(async () => {
		mailServer.cut();
		await new Promise<void>((resolve) => server.close(resolve));
	});
	return mailServer;
}
