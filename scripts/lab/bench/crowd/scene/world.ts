import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNameServer } from '../../../../../prober/testing/name-server.ts';
import { listenOnOnePort } from '../../../../testing/listen-on-one-port.ts';

// The mail world of a crowd, on loopback. B asks at `b-0.crowd.test`, the crowd at `c-N.crowd.test`. A mailbox of B's
// domain exists if it begins with u.

/** What the mail servers do, and where they stand. */
export type Behaviour = {
  /** A server for each domain; one for all, B's too; or hosts of a listed provider, B's too. */
  readonly at: 'own' | 'shared' | 'provider';
  /** Servers of the crowd's own never greet. */
  readonly isMute?: boolean;
  /** How long each RCPT for one of the crowd's mailboxes waits, and what it is answered. */
  readonly rcptAfterMs: number;
  readonly says: string;
  /** Connections that the shared server accepts in a minute; those beyond are put off by their greeting. */
  readonly perMinute?: number;
};

/** What the crowd has had of the servers. */
export type Counts = {
  /** Connections that are open, to B's own server apart. */
  connections: number;
  /** RCPTs of the crowd's that were answered. */
  answered: number;
  /** Connections that were put off, B's too. */
  putOff: number;
};

export type CrowdWorld = {
  /** Arguments of `npm start` for it. */
  readonly args: readonly string[];
  readonly counts: Readonly<Counts>;
  readonly close: () => Promise<void>;
};

const B = '127.30.0.1';
const SHARED = '127.40.0.1';
/** Ends in a name of a provider that has no row of its own about recipients. */
const PROVIDER = 'crowd.mimecast.com';
const NAME = new RegExp(String.raw`^(mx\.)?(b|c)-(\d+)\.(?:crowd\.test|${PROVIDER.replaceAll('.', String.raw`\.`)})$`);

export async function startCrowdWorld(behaviour: Behaviour): Promise<CrowdWorld> {
  const open = new Set<Socket>();
  const counts: Counts = { connections: 0, answered: 0, putOff: 0 };
  const conversation = conversationOf(behaviour, counts);
  const server = createServer((socket) => {
    open.add(socket);
    const isCounted = socket.localAddress !== B;
    if (isCounted) counts.connections += 1;
    socket.once('close', () => {
      open.delete(socket);
      if (isCounted) counts.connections -= 1;
    });
    conversation(socket);
  });
  const port = await listenOnOnePort([server], () => '0.0.0.0');
  const names = await startNameServer(({ name, type }) => {
    const [, mx, kind = '', n = '0'] = NAME.exec(name) ?? [];
    if (kind === '') return { rcode: 'NXDOMAIN' };
    if (mx !== undefined) return type === 'A' ? { ip: [addressOf(kind, Number(n), behaviour)] } : 'nodata';
    if (type !== 'MX') return 'nodata';
    return { mx: [[10, `mx.${behaviour.at === 'provider' ? `${kind}-${n}.${PROVIDER}` : name}`]] };
  });
  return {
    args: ['--no-sandbox', '--dns', names.address, '--route', `127.0.0.0/8=${port}`],
    counts,
    close: async () => {
      for (const socket of open) socket.destroy();
      await names.close();
      server.close();
    },
  };
}

function addressOf(kind: string, n: number, { at }: Behaviour): string {
  if (at === 'shared') return SHARED;
  // A network of its own for each, or the limit of a network would keep the crowd small.
  return kind === 'b' ? B : `127.${60 + (n % 60)}.${Math.floor(n / 60) % 256}.1`;
}

/** SMTP as far as a probe goes, without pipelining. */
function conversationOf(behaviour: Behaviour, counts: Counts): (socket: Socket) => void {
  const accepted: number[] = [];
  const answer = async (line: string): Promise<string> => {
    const [, to] = /^RCPT TO:<([^>]*)>/i.exec(line) ?? [];
    if (/^EHLO/i.test(line)) return '250 crowd.test\r\n';
    if (to?.includes('@b-') === true) return to.startsWith('u') ? '250 2.1.5 Ok\r\n' : '550 5.1.1 User unknown\r\n';
    if (to === undefined) return '250 2.0.0 Ok\r\n';
    await sleep(behaviour.rcptAfterMs);
    counts.answered += 1;
    return behaviour.says;
  };
  return (socket) => {
    let rest = '';
    socket.on('error', () => undefined);
    if (behaviour.isMute === true && socket.localAddress !== B) return;
    const since = Date.now() - 60_000;
    while ((accepted[0] ?? Infinity) < since) accepted.shift();
    if (accepted.length >= (behaviour.perMinute ?? Infinity)) {
      counts.putOff += 1;
      socket.end('421 4.7.0 crowd.test Too many connections from your host in a minute\r\n');
      return;
    }
    accepted.push(Date.now());
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\r\n');
      rest = lines.pop() ?? '';
      void (async () => {
        for (const line of lines) {
          const reply = await answer(line);
          if (socket.writable) socket.write(reply);
        }
      })();
    });
    socket.write('220 crowd.test ESMTP Postfix\r\n');
  };
}
