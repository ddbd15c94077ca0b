import type { Turn } from '../../../prober/engine/pace/turns.ts';
import { random } from '../../../prober/node/random.ts';
import { ask } from '../../../prober/node/resolve.ts';
import { type Account, createScopes, type Scope } from '../../../prober/node/scope.ts';
import type { Client } from './client.ts';

/** The resolver of a host as it is; its turns are timed. */
export async function rcptClient(port: number): Promise<Client> {
  const scope = createScopes({ dns: [`127.0.0.1:${port}`], stubs: [] }, random)('');
  const turns = new TimedTurns(scope.turns);
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
      return (await ask({ ...scope, turns }, account, { name, type }, signal)).kind !== 'failed';
    },
  };
}

/** A question goes out when its turn has come, and the turn ends with its answer. */
class TimedTurns {
  readonly wireMs: number[] = [];
  readonly waitedMs: number[] = [];
  heldMax = 0;
  readonly #turns: Scope['turns'];
  #held = 0;

  constructor(turns: Scope['turns']) {
    this.#turns = turns;
  }

  take(account: Account, signal: AbortSignal): Turn | Promise<Turn> {
    const askedMs = performance.now();
    const turn = this.#turns.take(account, signal);
    return turn instanceof Promise ? turn.then((given) => this.#timed(given, askedMs)) : this.#timed(turn, askedMs);
  }

  #timed(turn: Turn, askedMs: number): Turn {
    if (turn === 'aborted') return turn;
    const startedMs = performance.now();
    this.waitedMs.push(startedMs - askedMs);
    this.#held += 1;
    this.heldMax = Math.max(this.heldMax, this.#held);
    return () => {
      this.#held -= 1;
      this.wireMs.push(performance.now() - startedMs);
      turn();
    };
  }
}
