import type { AddressInfo, Socket } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import type { N8nClient } from '../../../scripts/localN8n/client';
import type { WorkflowContent } from '../../../scripts/localN8n/types';
import { withCredential } from './otherServices';

export interface Mail {
	to: string;
	subject: string;
	text: string;
}

/** A mail server on this machine that keeps what it is sent, and fails when it is told to. */
export class MailServer {
	/** Addresses for which it takes no mail at the moment. */
	readonly rejected = new Set<string>();
	/** Is called once, with the next mail, before the sender is told that it arrived. */
	onNextMail: ((mail: Mail) => unknown) | undefined;

	private port = 0;
	private server: SMTPServer | undefined;
	private readonly mails: Mail[] = [];
	private readonly sockets = new Set<Socket>();

	/** Listens on its port, which is a free one at first. */
	async start(): Promise<void> {
		const server = new SMTPServer({
			disabledCommands: ['AUTH', 'STARTTLS'],
			disableReverseLookup: true,
			onRcptTo: ({ address }, _session, callback) => {
				const rejection = Object.assign(new Error('Try again later'), { responseCode: 450 });
				callback(this.rejected.has(address) ? rejection : null);
			},
			onData: (stream, _session, callback) => {
				simpleParser(stream)
					.then(({ to, subject = '', text = '' }) => {
						const addresses = [to ?? []].flat().map((address) => address.text);
						return this.receive({ to: addresses.join(', '), subject, text });
					})
					.then(() => callback(), callback);
			},
		});
		// A client whose connection is cut.
		server.on('error', () => undefined);
		server.server.on('connection', (socket) => {
			this.sockets.add(socket);
			socket.on('close', () => this.sockets.delete(socket));
		});
		await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
		this.port = (server.server.address() as AddressInfo).port;
		this.server = server;
	}

	/** Ends all connections at once, in the middle of a mail, too. */
	cut(): void {
		for (const socket of this.sockets) socket.destroy();
	}

	async stop(): Promise<void> {
		this.cut();
		await new Promise<void>((resolve) => this.server?.close(resolve));
	}

	/** The mails since this was asked last, oldest first. */
	takeMails(): Mail[] {
		return this.mails.splice(0);
	}

	/** A workflow whose mails go to this server. */
	async sendingHere(client: N8nClient, content: WorkflowContent): Promise<WorkflowContent> {
		const { port } = this;
		const credential = await client.saveCredential({
			name: 'Mail server',
			type: 'smtp',
			data: { host: '127.0.0.1', port, secure: false, disableStartTls: true },
		});
		const nodes = content.nodes.map((node) =>
			node.type === 'n8n-nodes-base.emailSend' ? { ...node, ...withCredential(credential) } : node,
		);
		return { ...content, nodes };
	}

	private async receive(mail: Mail): Promise<void> {
		this.mails.push(mail);
		const then = this.onNextMail;
		this.onNextMail = undefined;
		await then?.(mail);
	}
}

/** One for the file that calls it. */
export function useMailServer(): MailServer {
	const server = new MailServer();
	beforeAll(() => server.start());
	afterAll(() => server.stop());
	return server;
}
