import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNameServer } from '../../../prober/testing/name-server.ts';
import { listenOnOnePort } from '../../testing/listen-on-one-port.ts';
import { SERVERS, ZONE } from './addresses.ts';

// All receivers of a run, in a process of its own, so that it can stand in another network namespace. Its first line on
// standard output is JSON and says where it listens; each line after it is one RCPT TO: `SENDER RECIPIENT`. It ends with its
// standard input. Usage: mail-world-process.ts ANSWERS_AFTER_MS

const SENDER = /^MAIL FROM:<([^>]*)>/i;
const RECIPIENT = /^RCPT TO:<([^>]*)>/i;
/** A mailbox of the lists; what a host makes up looks different. */
const LISTED = /^([yn])\d+-\d+@/i;

const answersAfterMs = Number(process.argv[2]);

/** Sixteen networks of sixteen servers: no pace of a host is met. */
const ipOf = (server: number): string => `127.77.${server >> 4}.${(server & 15) + 1}`;

/** SMTP as far as a probe goes. What names a recipient is answered late, each burst of commands at once. */
function converse(socket: Socket): void {
  let sender = '';
  let rest = '';
  let before = Promise.resolve();
  const answer = (line: string): string => {
    const [, from] = SENDER.exec(line) ?? [];
    const [, to] = RECIPIENT.exec(line) ?? [];
    if (from !== undefined) sender = from;
    if (/^EHLO/i.test(line)) return `250-${ZONE}\r\n250 PIPELINING\r\n`;
    if (/^QUIT/i.test(line)) return '221 2.0.0 Bye\r\n';
    if (to === undefined) return '250 2.0.0 Ok\r\n';
    const [, exists] = LISTED.exec(to) ?? [];
    if (exists !== undefined) process.stdout.write(`${sender} ${to}\n`);
    return exists?.toLowerCase() === 'y' ? '250 2.1.5 Ok\r\n' : '550 5.1.1 User unknown\r\n';
  };
  const reply = async (text: string, afterMs: number): Promise<void> => {
    await before;
    await sleep(afterMs);
    if (socket.writable) socket.write(text);
  };
  socket.on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\r\n');
    rest = lines.pop() ?? '';
    if (lines.length === 0) return;
    before = reply(lines.map(answer).join(''), lines.some((line) => RECIPIENT.test(line)) ? answersAfterMs : 0);
  });
  socket.write(`220 ${ZONE} ESMTP Postfix\r\n`);
}

const port = await listenOnOnePort(
  Array.from({ length: SERVERS }, () => createServer(converse)),
  ipOf,
);
const names = await startNameServer(({ name, type }) => {
  const [, kind, number] = /^(mx|d)(\d{1,3})\./.exec(name) ?? [];
  if (number === undefined || Number(number) >= SERVERS) return { rcode: 'NXDOMAIN' };
  if (kind === 'mx') return type === 'A' ? { ip: [ipOf(Number(number))] } : 'nodata';
  return type === 'MX' ? { mx: [[10, `mx${number}.${ZONE}`]] } : 'nodata';
});
process.stdout.write(`${JSON.stringify({ dns: names.address, port })}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
