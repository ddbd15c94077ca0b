import { AsyncLocalStorage } from 'node:async_hooks';
import type { JobFigures } from '../../../schema/job-figures.ts';
import type { EngineObserver } from '../../engine/ports/observer.ts';
import type { Ports } from '../../engine/ports/ports.ts';
import type { JobMeter, Measured } from '../../link/job-meter.ts';
import { measuredPorts } from '../metrics/measured-ports.ts';

type Work = JobFigures['work'][string];

/** Whoever looks nothing up and dials nothing for a job is counted for none: canaries, a session that ends unused. */
const current = new AsyncLocalStorage<Counting>();

const note = (kind: string, ms: number): void => current.getStore()?.note(kind, ms);

/** Counts what is done for each job. The engine knows nothing of it: what runs for a job is told by its asynchronous context. */
export const JOB_METER: JobMeter = { begin: () => new Counting() };

/** The same ports, counted by job. What a server that says nothing costs no observer of the engine is told of. */
export function portsByJob<P extends Ports>(ports: P): P {
  return measuredPorts(ports, {
    lookedUp: (type, result, ms) => note(`lookup_${type}_${result}`, ms),
    dialled: (_from, result, ms) => note(`connect_${result}`, ms),
    secured: (result, ms) => note(`tls_${result}`, ms),
    unanswered: (end, ms) => note(`no_reply_${end}`, ms),
  });
}

/** The same observer, if there is one, and replies and waits counted by job. */
export function observerByJob(observer: EngineObserver | null): EngineObserver {
  const known = observer ?? SILENT;
  return {
    ...known,
    waitedForLimits(provider, ms) {
      note('limits', ms);
      known.waitedForLimits(provider, ms);
    },
    replied(stage, waitedMs) {
      note(`reply_${stage}`, waitedMs);
      known.replied(stage, waitedMs);
    },
  };
}

class Counting implements Measured {
  readonly #work = new Map<string, Work>();

  run<T>(work: () => T): T {
    return current.run(this, work);
  }

  note(kind: string, ms: number): void {
    const whole = Math.round(ms);
    const { n, ms: before, mostMs } = this.#work.get(kind) ?? { n: 0, ms: 0, mostMs: 0 };
    this.#work.set(kind, { n: n + 1, ms: before + whole, mostMs: Math.max(mostMs, whole) });
  }

  get work(): JobFigures['work'] {
    return Object.fromEntries(this.#work);
  }
}

const nothing = (): void => {};
const SILENT: EngineObserver = {
  waitersChanged: nothing,
  waitedForLimits: nothing,
  coolDownBegan: nothing,
  invalidLimitReached: nothing,
  sessionOpened: nothing,
  sessionReused: nothing,
  sessionIdled: nothing,
  sessionEnded: nothing,
  replied: nothing,
  refused: nothing,
  puzzled: nothing,
};
