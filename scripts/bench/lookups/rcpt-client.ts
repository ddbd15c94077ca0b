import { Turns, type Turn } from '../../../prober/engine/pace/turns.ts';
import { createRandom } from '../../../prober/node/random.ts';
import { ask } from '../../../prober/node/resolve.ts';
import { type Account, createScopes, LOOK_UPS_MAX } from '../../../prober/node/scope.ts';
import type { Client } from './client.ts';

/** The resolver of a host as it is; its turns are timed. */
export async function rcptClient(port: number): Promise<Client> {
  const turns = new TimedTurns();
  const scope = { ...createScopes({ dns: [`127.0.0.1:${port}`], stubs: [] }, createRandom())(''), turns };
  const { wireMs, waitedMs } = turns;
  return {
    wireMs,
    waitedMs,
    get heldMax() {
      return turns.heldMax;
    },
    ask: async (name, type, account) => {
      // As in the engine each lane has a signal of its own.
      const { signal } = new AbortController();
      return (await ask(scope, account, { name, type }, signal)).kind !== 'failed';
    },
  };
}

/** A place is taken when the question goes out, and released with its answer. */
class TimedTurns extends Turns<Account> {
  readonly wireMs: number[] = [];
  readonly waitedMs: number[] = [];
  heldMax = 0;

  constructor() {
    super({ bound: LOOK_UPS_MAX, share: 'spare' });
  }

  override take(account: Account, signal: AbortSignal): Turn | Promise<Turn> {
    const askedMs = performance.now();
    const turn = super.take(account, signal);
    return turn instanceof Promise ? turn.then((given) => this.#timed(given, askedMs)) : this.#timed(turn, askedMs);
  }

  #timed(turn: Turn, askedMs: number): Turn {
    if (turn === 'aborted') return turn;
    const startedMs = performance.now();
    this.waitedMs.push(startedMs - askedMs);
    this.heldMax = Math.max(this.heldMax, this.held);
    return () => {
      this.wireMs.push(performance.now() - startedMs);
      turn();
    };
  }
}
