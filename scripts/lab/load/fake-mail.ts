import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNameServer } from '../../../prober/testing/name-server.ts';
import type { HostWorld } from '../../local/host-process.ts';
import { listenOnFreePort } from '../../sandbox/listening.ts';

// The mail servers of a scene, on loopback. Domain `dN.load.example` has the mail host `mxN.load.example` at an address of its
// own. A local part says what the mailbox is: it exists if it begins with y and a digit.

export const ZONE = 'load.example';
/** The crowd's are those below; the others are for one that asks beside it, and for the hosts to check themselves by. */
export const CROWD_DOMAINS = 512;
const DOMAINS = CROWD_DOMAINS + 3;
const RCPT = /^RCPT TO:<([^>]*)>/i;

export type FakeMail = {
  /** What a host needs to see it, and to check itself by it. */
  readonly host: HostWorld;
  /** By address: how many RCPTs named it. */
  readonly askings: ReadonlyMap<string, number>;
  readonly close: () => void;
};

const ipOf = (n: number): string => `127.77.${1 + (n >> 4)}.${(n & 15) + 1}`;

/** Starts the name server and all mail servers. @param answersAfterMs how long each RCPT waits for its reply */
export async function startFakeMail(answersAfterMs: number): Promise<FakeMail> {
  const askings = new Map<string, number>();
  // One for all: they do the same.
  const mail = await listenOnFreePort(createServer((socket) => converse(socket, answersAfterMs, askings)));
  const names = await startNameServer(({ name, type }) => {
    const [, kind, number = ''] = /^(mx|d)(\d{1,4})\./.exec(name) ?? [];
    if (kind === undefined || Number(number) >= DOMAINS) return { rcode: 'NXDOMAIN' };
    if (kind === 'mx') return type === 'A' ? { ip: [ipOf(Number(number))] } : 'nodata';
    return type === 'MX' ? { mx: [[10, `mx${number}.${ZONE}`]] } : 'nodata';
  });
  const canaries = [CROWD_DOMAINS + 1, CROWD_DOMAINS + 2];
  return {
    host: {
      sandbox: true,
      dns: [],
      stub: [`${ZONE}=${names.address}`],
      route: [`127.77.0.0/16=127.0.0.1:${mail.port}`],
      canaries: {
        name: canaries.map((n) => `d${n}.${ZONE}`).join(),
        missing: `nothing.${ZONE}`,
        host: canaries.map((n) => `mx${n}.${ZONE}`).join(),
        mailbox: '',
      },
    },
    askings,
    close: () => {
      void names.close();
      void mail.close();
    },
  };
}

/** SMTP as far as a probe goes; each burst of commands is answered at once. */
function converse(socket: Socket, answersAfterMs: number, askings: Map<string, number>): void {
  const answer = (line: string): string => {
    const [, to] = RCPT.exec(line) ?? [];
    if (/^EHLO/i.test(line)) return `250-${ZONE}\r\n250 PIPELINING\r\n`;
    if (/^QUIT/i.test(line)) return '221 2.0.0 Bye\r\n';
    if (to === undefined) return '250 2.0.0 Ok\r\n';
    const email = to.toLowerCase();
    if (/^[yn]\d/.test(email)) askings.set(email, (askings.get(email) ?? 0) + 1);
    return /^y\d/.test(email) ? '250 2.1.5 Ok\r\n' : '550 5.1.1 User unknown\r\n';
  };
  const reply = async (before: Promise<void>, lines: readonly string[]): Promise<void> => {
    const replies = lines.map(answer).join('');
    await before;
    if (answersAfterMs > 0 && lines.some((line) => RCPT.test(line))) await sleep(answersAfterMs);
    if (socket.writable) socket.write(replies);
  };
  let rest = '';
  let before = Promise.resolve();
  socket.on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\r\n');
    rest = lines.pop() ?? '';
    before = reply(before, lines);
  });
  socket.write(`220 ${ZONE} ESMTP Postfix\r\n`);
}
