import net from 'node:net';
import type { Server, Step } from './domains.ts';

const LINE_BYTES_MAX = 4_096;
const FLOOD = Buffer.alloc(16_384, 'a');
/** A connection reset at once would look to its client as if it had never stood. */
const RESET_AFTER_MS = 20;
const RCPT = /^rcpt to:<(.*)@[^@]*>/iu;

/** A server that behaves or misbehaves as planned, which no library would play. */
export function mailServer(plan: Server, name: string): net.Server {
  return net.createServer((socket) => {
    socket.on('error', () => socket.destroy());
    perform(socket, plan.greeting ?? `220 ${name} ESMTP sandbox`);
    readLines(socket, (line) => perform(socket, answer(plan, name, line)));
  });
}

function answer(plan: Server, name: string, line: string): Step {
  switch (line.slice(0, 4).toUpperCase()) {
    case 'EHLO':
    case 'HELO':
      return plan.kind === 'hostile' ? (plan.ehlo ?? '250 sandbox') : extensionsOf(plan, name);
    case 'MAIL':
      return plan.mail ?? '250 2.1.0 OK';
    case 'RCPT': {
      const local = RCPT.exec(line)?.[1]?.toLowerCase() ?? '*';
      return plan.rcpt?.[local] ?? plan.rcpt?.['*'] ?? '550 5.1.1 User unknown';
    }
    case 'RSET':
    case 'NOOP':
      return '250 OK';
    case 'QUIT':
      return { act: 'close' };
    default:
      return '502 5.5.1 Command not implemented';
  }
}

function extensionsOf({ smtpUtf8 = false }: Server & { readonly kind: 'mail' }, name: string): string {
  return [`250-${name}`, '250-PIPELINING', ...(smtpUtf8 ? ['250-SMTPUTF8'] : []), '250 8BITMIME'].join('\r\n');
}

function perform(socket: net.Socket, step: Step): void {
  if (typeof step === 'string') {
    socket.write(`${step}\r\n`);
    return;
  }
  switch (step.act) {
    case 'silence':
      return;
    case 'close':
      socket.end();
      return;
    case 'reset':
      setTimeout(() => socket.resetAndDestroy(), RESET_AFTER_MS);
      return;
    case 'flood':
      socket.on('drain', () => flood(socket));
      flood(socket);
  }
}

/** Writes as fast as the peer reads, and no faster. */
function flood(socket: net.Socket): void {
  while (!socket.destroyed && socket.write(FLOOD));
}

function readLines(socket: net.Socket, onLine: (line: string) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\r\n');
    rest = (lines.pop() ?? '').slice(0, LINE_BYTES_MAX);
    for (const line of lines) onLine(line);
  });
}
