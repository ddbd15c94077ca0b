import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Interrupted } from '../failure/failure.ts';
import { unlessStopped, type Environment } from '../environment/environment.ts';

/** The first line of standard input; typed on a terminal it is not shown. @throws Interrupted */
export async function askSecret(question: string, environment: Environment): Promise<string> {
  const isTerminal = environment.input.isTTY === true;
  const hidden = new Writable({ write: (_piece, _encoding, done) => done() });
  try {
    return await readLine(isTerminal ? question : '', environment, hidden);
  } finally {
    if (isTerminal) environment.messages.write('\n');
  }
}

/** Whether the user says yes. @throws Interrupted */
export async function isAgreed(question: string, environment: Environment): Promise<boolean> {
  return /^y(?:es)?$/i.test((await readLine(question, environment, environment.messages)).trim());
}

async function readLine(
  question: string,
  { input, messages, stop }: Environment,
  echo: NodeJS.WritableStream,
): Promise<string> {
  // From here on the terminal shows nothing by itself: what is typed as soon as the question is seen may be a key.
  const lines = createInterface({ input, output: echo, terminal: input.isTTY === true });
  const line = new Promise<string>((done, failed) => {
    lines.once('line', done);
    lines.once('close', () => done(''));
    // On a terminal that reads key by key, Ctrl-C is a key and no signal.
    lines.once('SIGINT', () => failed(new Interrupted(130)));
  });
  messages.write(question);
  try {
    return await unlessStopped(stop, line);
  } finally {
    lines.close();
  }
}
