import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNameServer } from '../../../../prober/testing/name-server.ts';
import { listenOnOnePort } from '../../../testing/listen-on-one-port.ts';
import type { Behaviour } from './rows/row.ts';

// The mail world of the crowds, on loopback. Domain `KIND-N.crowd.test` has a server of its own for each N, or one for all
// if the kind is shared. A mailbox of B's domain exists if it begins with u.

export type CrowdWorld = {
  /** Arguments of `npm start` for it. */
  readonly args: readonly string[];
  /** Connections that are open to servers of the crowd's, B's at a shared one among them. */
  readonly held: () => number;
  readonly close: () => Promise<void>;
};

const SHARED = '127.40.0.1';

export async function startCrowdWorld(behaviour: Behaviour): Promise<CrowdWorld> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    if (socket.localAddress !== B) open.add(socket);
    socket.once('close', () => open.delete(socket));
    converse(socket, behaviour);
  });
  const port = await listenOnOnePort([server], () => '0.0.0.0');
  const names = await startNameServer(({ name, type }) => {
    const [, mx, kind = '', n = '0'] = /^(mx\.)?(b|c)-(\d+)\.crowd\.test$/.exec(name) ?? [];
    if (kind === '') return { rcode: 'NXDOMAIN' };
    if (mx === undefined) return type === 'MX' ? { mx: [[10, `mx.${name}`]] } : 'nodata';
    return type === 'A' ? { ip: [addressOf(kind, Number(n), behaviour.isShared)] } : 'nodata';
  });
  return {
    args: ['--no-sandbox', '--dns', names.address, '--route', `127.0.0.0/8=${port}`],
    held: () => open.size,
    close: async () => {
      for (const socket of open) socket.destroy();
      await names.close();
      server.close();
    },
  };
}

const B = '127.30.0.1';

function addressOf(kind: string, n: number, isShared: boolean): string {
  if (isShared) return SHARED;
  // A network of its own for each, or the limit of a network would keep the crowd small.
  return kind === 'b' ? B : `127.${60 + (n % 60)}.${Math.floor(n / 60) % 256}.1`;
}

/** SMTP as far as a probe goes, without pipelining. */
function converse(socket: Socket, { rcptAfterMs, says }: Behaviour): void {
  let rest = '';
  const answer = async (line: string): Promise<string> => {
    const [, to] = /^RCPT TO:<([^>]*)>/i.exec(line) ?? [];
    if (/^EHLO/i.test(line)) return '250 crowd.test\r\n';
    if (to?.includes('@b-') === true) return to.startsWith('u') ? '250 2.1.5 Ok\r\n' : '550 5.1.1 User unknown\r\n';
    if (to === undefined) return '250 2.0.0 Ok\r\n';
    await sleep(rcptAfterMs);
    return says;
  };
  socket.on('error', () => undefined);
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
  socket.write('220 crowd.test ESMTP\r\n');
}
