import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNameServer } from '../../prober/testing/name-server.ts';
import { listenOnOnePort } from './listen-on-one-port.ts';

// The mail world of tests and runs with real sockets: a name server and mail servers on loopback, which tell of every
// RCPT for an address of a list. Domain `d<n>.ZONE` has the mail server `mx<n>.ZONE`. Of mailboxes their names say whether
// they exist: those of lists begin with y or n and a digit, and what a host makes up looks different.

const SENDER = /^MAIL FROM:<([^>]*)>/i;
const RECIPIENT = /^RCPT TO:<([^>]*)>/i;
const LISTED = /^([yn])\d/i;

export type LoopbackPlan = {
  readonly zone: string;
  /** How many mail servers. */
  readonly servers: number;
  /** The loopback address of the nth, counted from 0. */
  readonly ipOf: (server: number) => string;
  /** How many of them, the last ones, refuse every client at their greeting. */
  readonly refusing: number;
  /** What each RCPT waits for its reply. */
  readonly answersAfterMs: number;
  /** Told of every RCPT for an address of a list. */
  readonly onAsked: (sender: string, email: string) => void;
};

export type LoopbackMailWorld = {
  /** `IP:PORT` of its name server. */
  readonly dns: string;
  /** Of all mail servers. */
  readonly port: number;
  readonly close: () => Promise<void>;
};

/** Starts the name server and a mail server for each domain. */
export async function startLoopbackMailWorld(plan: LoopbackPlan): Promise<LoopbackMailWorld> {
  const { zone, servers: count, ipOf, refusing } = plan;
  const servers = Array.from({ length: count }, (_, n) =>
    createServer((socket) => (n < count - refusing ? converse(socket, plan) : refuse(socket, plan))),
  );
  const port = await listenOnOnePort(servers, ipOf);
  const names = await startNameServer(({ name, type }) => {
    const [, kind, number] = /^(mx|d)(\d{1,3})\./.exec(name) ?? [];
    if (number === undefined || Number(number) >= count) return { rcode: 'NXDOMAIN' };
    if (kind === 'mx') return type === 'A' ? { ip: [ipOf(Number(number))] } : 'nodata';
    return type === 'MX' ? { mx: [[10, `mx${number}.${zone}`]] } : 'nodata';
  });
  return {
    dns: names.address,
    port,
    close: async () => {
      await names.close();
      for (const server of servers) server.close();
    },
  };
}

function refuse(socket: Socket, { zone }: LoopbackPlan): void {
  socket.on('error', () => undefined);
  socket.end(`554 5.7.1 ${zone} Your address is blocked here\r\n`);
}

/** SMTP as far as a probe goes. What names a recipient is answered late, each burst of commands at once. */
function converse(socket: Socket, { zone, answersAfterMs, onAsked }: LoopbackPlan): void {
  let sender = '';
  let rest = '';
  let before = Promise.resolve();
  const answer = (line: string): string => {
    const [, from] = SENDER.exec(line) ?? [];
    const [, to] = RECIPIENT.exec(line) ?? [];
    if (from !== undefined) sender = from;
    if (/^EHLO/i.test(line)) return `250-${zone}\r\n250 PIPELINING\r\n`;
    if (/^QUIT/i.test(line)) return '221 2.0.0 Bye\r\n';
    if (to === undefined) return '250 2.0.0 Ok\r\n';
    const [, exists] = LISTED.exec(to) ?? [];
    if (exists !== undefined) onAsked(sender, to.toLowerCase());
    return exists?.toLowerCase() === 'y' ? '250 2.1.5 Ok\r\n' : '550 5.1.1 User unknown\r\n';
  };
  const reply = async (text: string, isLate: boolean): Promise<void> => {
    await before;
    if (isLate) await sleep(answersAfterMs);
    if (socket.writable) socket.write(text);
  };
  socket.on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\r\n');
    rest = lines.pop() ?? '';
    if (lines.length === 0) return;
    const isLate = answersAfterMs > 0 && lines.some((line) => RECIPIENT.test(line));
    before = reply(lines.map(answer).join(''), isLate);
  });
  socket.write(`220 ${zone} ESMTP Postfix\r\n`);
}
