import net from 'node:net';
import { startNameServer } from '../../../../prober/testing/name-server.ts';
import { kindOf } from './shared-domains.ts';

// The receiving side of the engine's benches, in a process of its own: one DNS server that gives every name
// `d<number>.test` an MX host `mx.d<number>.test`, and one raw SMTP server at all of its addresses.
// Raw, because a library's server waits before its greeting.
//
// Usage: node peer.ts JSON, see PeerOptions. Prints "ready", runs until its standard input ends, and prints then what it did as
// JSON, see PeerFigures.

export type PeerOptions = {
  /** Where the names are asked about, and where mail is taken if there is no other place. */
  readonly ip: string;
  /** Where mail is taken: hosts are shared out by their number. */
  readonly mailIps?: readonly string[];
  readonly smtpPort: number;
  readonly dnsPort: number;
  /** `exists`: local parts of "u" and up to three digits exist, so that no made-up one does by chance; `unknown`: none does; `stall`: falls silent; `shared`: all domains have the same two hosts, see `shared-domains.ts`. */
  readonly mode: 'exists' | 'unknown' | 'stall' | 'shared';
  /** Appears in the greeting: engines budget by it. */
  readonly software: string;
};

/** What the peer really did. */
export type PeerFigures = {
  readonly connections: number;
  /** Connections open at once, at most. */
  readonly heldAtMost: number;
};

/** A thousand resolvers ask at once: what the system's own size drops, they ask again after seconds. */
const DNS_BUFFER_BYTES = 4_194_304;

const options: PeerOptions = JSON.parse(process.argv[2] ?? '');
const mailIps = options.mailIps ?? [options.ip];
let held = 0;
const figures = { connections: 0, heldAtMost: 0 };

function answer(line: string): string {
  switch (line.slice(0, 4).toUpperCase()) {
    case 'EHLO':
      return '250-mx.test\r\n250-PIPELINING\r\n250-SIZE 10485760\r\n250 8BITMIME\r\n';
    case 'MAIL':
      return '250 2.1.0 Ok\r\n';
    case 'RCPT':
      return options.mode === 'shared' ? sharedAnswer(line) : mailboxAnswer(options.mode === 'exists', line);
    case 'QUIT':
      return '221 2.0.0 Bye\r\n';
    case 'RSET':
      return '250 2.0.0 Ok\r\n';
    default:
      return '502 5.5.2 Error: command not recognized\r\n';
  }
}

function mailboxAnswer(exists: boolean, line: string): string {
  return exists && /^RCPT TO:<u\d{1,3}@/i.test(line)
    ? '250 2.1.5 Ok\r\n'
    : `550 5.1.1 ${pathOf(line)}: Recipient address rejected: User unknown in virtual mailbox table\r\n`;
}

/** Servers say the address back. */
function pathOf(line: string): string {
  return line.slice(line.indexOf('<'));
}

function sharedAnswer(line: string): string {
  switch (kindOf(line.slice(line.indexOf('@')))) {
    case 'refuses_us':
      return `550 5.7.1 ${pathOf(line)}: Client host rejected: Access denied by policy\r\n`;
    case 'defers':
      return '451 4.3.2 Try again later\r\n';
    case 'tells':
      return mailboxAnswer(true, line);
  }
}

/** Stalls at one of three places, by turns: before the greeting, after it, after EHLO. */
function stallAfter(connection: number): number {
  return connection % 3;
}

/** `mx.d17.test` is always at the same address. */
function mailIpOf(name: string): string {
  return mailIps[Number(/\d+/.exec(name)?.[0] ?? 0) % mailIps.length] ?? options.ip;
}

function serveSmtp(): net.Server {
  return net.createServer({ noDelay: true }, (socket) => {
    const patience = options.mode === 'stall' ? stallAfter(figures.connections) : Number.POSITIVE_INFINITY;
    figures.connections += 1;
    held += 1;
    figures.heldAtMost = Math.max(figures.heldAtMost, held);
    socket.on('close', () => {
      held -= 1;
    });
    let said = 0;
    let rest = '';
    const say = (text: string): void => {
      if (said++ < patience) socket.write(text);
    };
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      if (lines.length > 0) say(lines.map(answer).join(''));
      if (lines.at(-1)?.toUpperCase() === 'QUIT') socket.end();
    });
    say(`220 mx.test ESMTP ${options.software}\r\n`);
  });
}

await Promise.all(
  mailIps.map(
    (ip) =>
      new Promise<void>((resolve) => {
        serveSmtp().listen(options.smtpPort, ip, 4096, resolve);
      }),
  ),
);
await startNameServer(
  ({ name, type }) => {
    if (name.startsWith('mx.')) return type === 'A' ? { ip: [mailIpOf(name)] } : 'nodata';
    if (type !== 'MX') return 'nodata';
    if (options.mode !== 'shared') return { mx: [[10, `mx.${name}`]] };
    return { mx: [0, 1].map((n) => [10 * (n + 1), `mx.shared${n}.test`] as const) };
  },
  { ip: options.ip, port: options.dnsPort, udpBufferBytes: DNS_BUFFER_BYTES },
);
process.stdout.write('ready\n');

process.stdin.resume().once('end', () => {
  process.stdout.write(`${JSON.stringify(figures satisfies PeerFigures)}\n`, () => process.exit(0));
});
