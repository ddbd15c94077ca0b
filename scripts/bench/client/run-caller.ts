import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Ended, Order, Said, Sample } from './caller-process.ts';

const PROCESS = fileURLToPath(new URL('caller-process.ts', import.meta.url));

export type CallerFigures = Ended & { readonly samples: readonly Sample[] };

/** Runs a caller to its end, in a process of its own. @throws Error if it does not come to its end */
export async function runCaller(order: Order): Promise<CallerFigures> {
  const child = spawn(process.execPath, ['--expose-gc', PROCESS, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const samples: Sample[] = [];
  let figures: Ended | null = null;
  for await (const line of createInterface({ input: child.stdout })) {
    const said: Said = JSON.parse(line);
    if ('sample' in said) samples.push(said.sample);
    else figures = said.ended;
  }
  if (figures === null) throw new Error(`The caller ${order.who} did not come to its end.`);
  return { ...figures, samples };
}
