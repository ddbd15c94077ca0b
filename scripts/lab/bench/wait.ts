import { rm } from 'node:fs/promises';
import { Command } from 'commander';
import * as z from 'zod';
import { verificationResultSchema } from '../../../schema/api.ts';
import { newStateFolder, type Ready, startRunningService } from '../../testing/running-service.ts';

const WAIT_S = 3;
/** What the trips around the wait may take. */
const P99_MS = 3_300;
const ROUNDS = 20;
/** At once, of each kind. */
const CALLS = 5;
const KINDS = {
  /** Its server says nothing for 30 s. */
  stalled: { address: 'anyone@slow-mail.test', result: 'unknown', reason: 'timeout' },
  quick: { address: 'ok@deliverable.test', result: 'deliverable', reason: null },
} as const;

type Kind = keyof typeof KINDS;
/** `isAsSaid`: the answer has the result of its kind, and says that the preference was applied. */
type Asked = { readonly kind: Kind; readonly ms: number; readonly isAsSaid: boolean };

/** `bench wait`: how long a caller waits that says how long it can, at a server that stalls and at one that does not. */
export function waitCommand(): Command {
  return new Command('wait')
    .description(`the time of calls with \`Prefer: wait=${WAIT_S}\`, at stalled servers and beside them`)
    .action(async () => {
      const state = await newStateFolder();
      const service = await startRunningService(state, ['--var', 'RATE_LIMIT=0', '--var', 'ACCOUNT_RATE_LIMIT=0']);
      try {
        const asked: Asked[] = [];
        for (let round = 0; round < ROUNDS; round += 1) asked.push(...(await askAtOnce(service.ready)));
        for (const kind of ['stalled', 'quick'] as const) {
          const calls = asked.filter((one) => one.kind === kind);
          const times = calls.map(({ ms }) => ms).toSorted((a, b) => a - b);
          const [p50, p99] = [0.5, 0.99].map((part) => times[Math.ceil(part * times.length) - 1] ?? Infinity);
          const right = calls.filter(({ isAsSaid }) => isAsSaid).length;
          process.stdout.write(
            `${kind}: p50 ${p50} ms, p99 ${p99} ms (bound ${P99_MS} ms), ${right} of ${calls.length} answered as they must\n`,
          );
          if (right < calls.length || (p99 ?? Infinity) > P99_MS) process.exitCode = 1;
        }
      } finally {
        await service.stop();
        await rm(state, { recursive: true, force: true });
      }
    });
}

function askAtOnce(ready: Ready): Promise<readonly Asked[]> {
  const kinds = Array.from({ length: CALLS }, () => ['stalled', 'quick'] as const).flat();
  return Promise.all(kinds.map((kind) => ask(ready, kind)));
}

async function ask({ url, apiKey }: Ready, kind: Kind): Promise<Asked> {
  const { address, result, reason } = KINDS[kind];
  const began = performance.now();
  const answer = await fetch(new URL('/api/v1/verify', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, prefer: `wait=${WAIT_S}` },
    body: JSON.stringify({ emails: [address] }),
  });
  const [only] = z.array(verificationResultSchema).parse(await answer.json());
  const ms = Math.round(performance.now() - began);
  const isApplied = answer.headers.get('preference-applied') === `wait=${WAIT_S}`;
  return { kind, ms, isAsSaid: isApplied && only?.result === result && only.reason === reason };
}
