import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * Says the commands one after the other to an SMTP server, each after the reply to the one before, and returns the
 * last line of every reply, the greeting first. Ends early when the server does.
 */
export async function converse(host: string, port: number, commands: readonly string[]): Promise<readonly string[]> {
  const socket = connect({ host, port });
  await once(socket, 'connect');
  socket.on('error', () => {});
  const replies: string[] = [];
  const left = [...commands];
  const lines = createInterface({ input: socket });
  socket.once('close', () => lines.close());
  for await (const line of lines) {
    if (line[3] === '-') continue;
    replies.push(line);
    const next = left.shift();
    if (next === undefined) break;
    socket.write(`${next}\r\n`);
  }
  socket.destroy();
  return replies;
}

/** The dialogue of a probe for some recipients, without pipelining. */
export const ask = (...recipients: readonly string[]): readonly string[] => [
  'EHLO probe.example.com',
  'MAIL FROM:<verify@probe.example.com>',
  ...recipients.map((recipient) => `RCPT TO:<${recipient}>`),
];

/** Says everything at once, without waiting even for the greeting, and returns all that came back. */
export async function blurt(host: string, port: number, text: string): Promise<string> {
  const socket = connect({ host, port });
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write(text);
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
  await once(socket, 'close');
  return answer;
}
