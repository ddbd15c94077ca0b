import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Interrupted } from '../failure/failure.ts';
import { unlessStopped, type World } from '../world/world.ts';

/** The first line of standard input; typed on a terminal it is not shown. @throws Interrupted */
export async function askSecret(question: string, world: World): Promise<string> {
  const isTerminal = world.input.isTTY === true;
  if (isTerminal) world.messages.write(question);
  try {
    return await readLine(world, new Writable({ write: (_piece, _encoding, done) => done() }));
  } finally {
    if (isTerminal) world.messages.write('\n');
  }
}

/** Whether the user says yes. @throws Interrupted */
export async function isAgreed(question: string, world: World): Promise<boolean> {
  world.messages.write(question);
  return /^y(?:es)?$/i.test((await readLine(world, world.messages)).trim());
}

async function readLine({ input, stop }: World, echo: NodeJS.WritableStream): Promise<string> {
  const lines = createInterface({ input, output: echo, terminal: input.isTTY === true });
  const line = new Promise<string>((done, failed) => {
    lines.once('line', done);
    lines.once('close', () => done(''));
    // On a terminal that reads key by key, Ctrl-C is a key and no signal.
    lines.once('SIGINT', () => failed(new Interrupted(130)));
  });
  try {
    return await unlessStopped(stop, line);
  } finally {
    lines.close();
  }
}
