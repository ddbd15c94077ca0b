import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNameServer } from '../../../prober/testing/name-server.ts';
import type { HostWorld } from '../../local/host-process.ts';
import { listenOnOnePort } from '../../testing/listen-on-one-port.ts';

// The mail servers of a scene, on loopback. Domain `dN.load.example` has the mail host `mxN.load.example`. A local part says
// what the mailbox is: it exists if it begins with y and a digit.

export const ZONE = 'load.example';
const DOMAINS = 1_024;
/** Domains from here on are at servers that answer properly at once, in every scene. */
export const GOOD = 512;
const RCPT = /^RCPT TO:<([^>]*)>/i;

/** How the servers of the domains below `GOOD` behave. */
export type Behaviour = {
  /** A server for each domain, or one for all of them; then the good domain `GOOD` is there too. */
  readonly at: 'own' | 'shared';
  /** How long each RCPT waits for its reply. */
  readonly answersAfterMs: number;
};

export type World = {
  /** What a host must be told to see it, and to check itself by it. */
  readonly host: HostWorld;
  /** By address: how many RCPTs named it. */
  readonly askings: ReadonlyMap<string, number>;
  readonly close: () => void;
};

/** Starts the name server and all mail servers. */
export async function startWorld(behaviour: Behaviour): Promise<World> {
  const ipOf = (n: number): string => {
    if (behaviour.at === 'shared' && n <= GOOD) return '127.77.0.1';
    return `127.77.${1 + (n >> 4)}.${(n & 15) + 1}`;
  };
  const ips = [...new Set(Array.from({ length: DOMAINS }, (_, n) => ipOf(n)))];
  const good = new Set(Array.from({ length: DOMAINS - GOOD - 1 }, (_, n) => ipOf(GOOD + 1 + n)));
  const askings = new Map<string, number>();
  const open = new Set<Socket>();
  const servers: Server[] = ips.map((ip) => {
    const isGood = good.has(ip) || (behaviour.at === 'own' && ip === ipOf(GOOD));
    const serve = conversation(isGood ? GOOD_SERVER : behaviour, askings);
    return createServer((socket) => {
      open.add(socket);
      socket.on('error', () => undefined).once('close', () => open.delete(socket));
      serve(socket);
    });
  });
  const port = await listenOnOnePort(servers, (n) => ips[n] ?? '');
  const names = await startNameServer(({ name, type }) => {
    const [, kind, number = ''] = /^(mx|d)(\d{1,4})\./.exec(name) ?? [];
    if (kind === undefined || Number(number) >= DOMAINS) return { rcode: 'NXDOMAIN' };
    if (kind === 'mx') return type === 'A' ? { ip: [ipOf(Number(number))] } : 'nodata';
    return type === 'MX' ? { mx: [[10, `mx${number}.${ZONE}`]] } : 'nodata';
  });
  return {
    host: {
      sandbox: true,
      dns: [],
      stub: [`${ZONE}=${names.address}`],
      route: [`127.77.0.0/16=${port}`],
      canaries: {
        name: `d${GOOD + 1}.${ZONE},d${GOOD + 2}.${ZONE}`,
        missing: `nothing.${ZONE}`,
        host: `mx${GOOD + 1}.${ZONE},mx${GOOD + 2}.${ZONE}`,
        mailbox: '',
      },
    },
    askings,
    close: () => {
      void names.close();
      for (const server of servers) server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

const GOOD_SERVER: Behaviour = { at: 'own', answersAfterMs: 0 };

/** SMTP as far as a probe goes; each burst of commands is answered at once. */
function conversation(behaviour: Behaviour, askings: Map<string, number>) {
  const answer = (line: string): string => {
    const [, to] = RCPT.exec(line) ?? [];
    if (/^EHLO/i.test(line)) return `250-${ZONE}\r\n250 PIPELINING\r\n`;
    if (/^QUIT/i.test(line)) return '221 2.0.0 Bye\r\n';
    if (to === undefined) return '250 2.0.0 Ok\r\n';
    const email = to.toLowerCase();
    if (/^[yn]\d/.test(email)) askings.set(email, (askings.get(email) ?? 0) + 1);
    return /^y\d/.test(email) ? '250 2.1.5 Ok\r\n' : '550 5.1.1 User unknown\r\n';
  };
  return (socket: Socket): void => {
    const reply = async (before: Promise<void>, replies: string, isLate: boolean): Promise<void> => {
      await before;
      if (isLate && behaviour.answersAfterMs > 0) await sleep(behaviour.answersAfterMs);
      if (socket.writable) socket.write(replies);
    };
    let rest = '';
    let before = Promise.resolve();
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\r\n');
      rest = lines.pop() ?? '';
      const isLate = lines.some((line) => RCPT.test(line) && !line.includes(`@d${GOOD}.`));
      const replies = lines.map(answer).join('');
      before = reply(before, replies, isLate);
    });
    socket.write(`220 ${ZONE} ESMTP Postfix\r\n`);
  };
}
