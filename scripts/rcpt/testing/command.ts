import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { hurried, type ScriptedService } from '../../../schema/client/testing/scripted-service.ts';
import { runProgram } from '../program.ts';

// The command in this process, with a scripted service behind it: fast, and every byte can be looked at.

export type Ended = { readonly code: number; readonly out: string; readonly err: string };

export type Around = {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly stop?: AbortSignal;
  /** Of a clone of the repository. */
  readonly localState?: string;
  /** A list is verified though nobody has agreed. */
  readonly isUnconfirmed?: true;
  /** In the place of a standard output that takes everything, which is what `out` has. */
  readonly output?: Writable;
  /** What is a terminal: what is typed is `stdin`. */
  readonly terminals?: ReadonlyArray<'input' | 'messages'>;
};

export const URL_OF_SERVICE = 'https://verify.example.test';

/** A folder of its own for a test file. */
export function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'rcpt-command-'));
}

/** @param folder where a login is kept, so that nobody's own is touched */
export async function rcpt(
  service: Pick<ScriptedService, 'fetch'>,
  folder: string,
  args: readonly string[],
  around: Around = {},
): Promise<Ended> {
  const { env = {}, stdin = '', stop = new AbortController().signal, localState = null, terminals = [] } = around;
  const agreed = args[0] === 'verify' && around.isUnconfirmed === undefined ? ['--yes'] : [];
  const output = capture();
  const messages = capture();
  const input = new PassThrough();
  input.end(stdin);
  const code = await runProgram([...args, ...agreed], {
    env: { RCPT_URL: URL_OF_SERVICE, RCPT_API_KEY: 'svc_live_test', XDG_CONFIG_HOME: folder, PATH: folder, ...env },
    localState,
    input: Object.assign(input, { isTTY: terminals.includes('input') }),
    output: around.output ?? output.stream,
    messages: Object.assign(messages.stream, { isTTY: terminals.includes('messages') }),
    stop,
    // Waits pass at once, waiting for an answer apart.
    client: { fetch: service.fetch, clock: hurried(), timeoutMs: 86_400_000 },
  });
  return { code, out: output.text(), err: messages.text() };
}

function capture() {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write: (piece: string | Uint8Array, _encoding, done) => {
      text += typeof piece === 'string' ? piece : Buffer.from(piece).toString();
      done();
    },
  });
  return { stream, text: () => text };
}
