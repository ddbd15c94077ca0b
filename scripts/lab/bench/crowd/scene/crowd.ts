import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Stage } from './stage.ts';

/** A crowd that is at work. */
export type Crowd = {
  /** What it holds, or has been given, by now. */
  readonly held: () => number;
  readonly leave: () => Promise<void>;
};

/** Accounts that ask for addresses, and again once they are answered. */
export type Asking = {
  readonly accounts: number;
  readonly are: 'bought' | 'free';
  /** Of each account at once. */
  readonly requests: number;
  readonly addresses: number;
  /** Domains of one request, which no other has. */
  readonly domains: number;
};

const AGAIN_S = 1;

/** @param held given what the crowd's own calls have under way: addresses */
export function asking(crowd: Asking, held: (stage: Stage, underWay: number) => number) {
  return async (stage: Stage): Promise<Crowd> => {
    const gone = new AbortController();
    let underWay = 0;
    const lanes: Promise<void>[] = [];
    const ask = async (key: string, emails: readonly string[]): Promise<void> => {
      while (!gone.signal.aborted) {
        underWay += emails.length;
        const answer = await stage.verify(key, emails, gone.signal).catch(() => null);
        underWay -= emails.length;
        await pauseAfter(answer, gone.signal);
      }
    };
    for (let account = 0; account < crowd.accounts; account += 1) {
      const name = `crowd-${account}`;
      const id = crowd.are === 'bought' ? await stage.openBought(name) : await stage.openFree(name);
      const key = await stage.keyOf(id);
      for (let n = 0; n < crowd.requests; n += 1) lanes.push(ask(key, emailsOf(crowd, account * crowd.requests + n)));
    }
    return {
      held: () => held(stage, underWay),
      leave: async () => {
        gone.abort();
        await Promise.all(lanes);
      },
    };
  };
}

/** What is refused is asked again when it is told to. */
function pauseAfter(answer: Answer | null, signal: AbortSignal): Promise<void> {
  return sleep((answer?.retryS ?? AGAIN_S) * 1_000, undefined, { signal }).catch(() => undefined);
}

function emailsOf({ addresses, domains }: Asking, request: number): string[] {
  return Array.from({ length: addresses }, (_, i) => `x${i}@c-${request * domains + (i % domains)}.crowd.test`);
}
