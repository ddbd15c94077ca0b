import { setTimeout as sleep } from 'node:timers/promises';
import type { Crowd } from '../scene/crowd.ts';
import type { Stage } from '../scene/stage.ts';
import type { Row } from './row.ts';

const ACCOUNTS = 6;
const KEYS = 50;
/** Of one key: 60 are allowed in a minute, so fifty keys make some 300 calls a second for ten seconds. */
const EVERY_MS = 150;

async function begin(stage: Stage): Promise<Crowd> {
  const keys: string[] = [];
  for (let account = 0; account < ACCOUNTS; account += 1) {
    const id = await stage.openEmpty(`crowd-${account}`);
    for (let n = 0; n < KEYS; n += 1) keys.push(await stage.keyOf(id));
  }
  return calling(stage, keys);
}

function calling(stage: Stage, keys: readonly string[]): Crowd {
  const gone = new AbortController();
  let answered = 0;
  const call = async (key: string): Promise<void> => {
    while (!gone.signal.aborted) {
      const answer = await stage.verify(key, ['x@c-0.crowd.test'], gone.signal).catch(() => null);
      if (answer !== null) answered += 1;
      await sleep(EVERY_MS);
    }
  };
  const lanes = keys.map(call);
  return {
    held: () => answered,
    leave: async () => {
      gone.abort();
      await Promise.all(lanes);
    },
  };
}

/** Accounts without credits that call with all the keys that they may have. */
export const EMPTY_ACCOUNTS: Row = {
  name: '7',
  what: 'six accounts without credits call with fifty keys each',
  behaviour: { at: 'own', rcptAfterMs: 0, says: '' },
  begin,
  floor: (stage) =>
    calling(
      stage,
      Array.from({ length: ACCOUNTS * KEYS }, (_, n) => `key ${n}`),
    ),
  gathersMs: 0,
  holds: 1_000,
  unit: 'calls answered',
  p99Ms: 1_000,
};
