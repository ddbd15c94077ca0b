import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { startNameServer } from '../../prober/testing/name-server.ts';
import { listenOnOnePort } from './listen-on-one-port.ts';

// Mail servers that count how often each address was asked for: what a list cost the world, independent of the ledger.

const ZONE = 'counted.example';
/** A server allows a limited number of sessions a minute, so each domain has its own. */
const DOMAINS = 8;
const NET = '127.0.78';
const MAILBOX = /^RCPT TO:<(user\d+@[^>]+)>/i;

export type CountingMailWorld = {
  /** What `npm start` needs to see it. */
  readonly args: readonly string[];
  /** This many consecutive addresses, all of which exist. */
  readonly addresses: (from: number, count: number) => string[];
  /** How often it was asked for these. */
  readonly asked: (addresses: readonly string[]) => number;
  readonly close: () => Promise<void>;
};

/** Starts its name server and a mail server for each of its domains. */
export async function startCountingMailWorld(): Promise<CountingMailWorld> {
  const seen = new Map<string, number>();
  const servers = Array.from({ length: DOMAINS }, () =>
    createServer((socket) => converse(socket, (email) => seen.set(email, (seen.get(email) ?? 0) + 1))),
  );
  const port = await listenOnOnePort(servers, addressOf);
  const names = await startNameServer(({ name, type }) => {
    const [, server] = /^mx(\d)\./.exec(name) ?? [];
    if (server !== undefined) return type === 'A' ? { ip: [addressOf(Number(server))] } : 'nodata';
    const [, domain] = /^d(\d)\./.exec(name) ?? [];
    if (domain === undefined) return { rcode: 'NXDOMAIN' };
    return type === 'MX' ? { mx: [[10, `mx${domain}.${ZONE}`]] } : 'nodata';
  });
  return {
    args: ['--stub', `${ZONE}=${names.address}`, '--route', `${NET}.0/24=${port}`],
    addresses: (from, count) =>
      Array.from({ length: count }, (_, n) => `user${from + n}@d${(from + n) % DOMAINS}.${ZONE}`),
    asked: (addresses) => addresses.reduce((sum, email) => sum + (seen.get(email) ?? 0), 0),
    close: async () => {
      await names.close();
      for (const server of servers) server.close();
    },
  };
}

function addressOf(server: number): string {
  return `${NET}.${server + 1}`;
}

/** SMTP as far as a probe goes. Mailboxes of the lists exist, made-up ones do not. */
function converse(socket: Socket, count: (email: string) => void): void {
  socket.on('error', () => {});
  socket.write('220 counted.example ESMTP Postfix\r\n');
  const lines = createInterface({ input: socket });
  lines.on('error', () => {});
  lines.on('line', (line) => {
    const [, email] = MAILBOX.exec(line) ?? [];
    if (email !== undefined) count(email.toLowerCase());
    if (!socket.writable) return;
    if (/^EHLO/i.test(line)) socket.write('250-counted.example\r\n250 PIPELINING\r\n');
    else if (/^QUIT/i.test(line)) socket.end('221 2.0.0 Bye\r\n');
    else if (/^RCPT/i.test(line) && email === undefined) socket.write('550 5.1.1 User unknown\r\n');
    else socket.write('250 2.1.5 Ok\r\n');
  });
}
