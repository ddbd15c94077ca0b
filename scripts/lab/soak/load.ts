import { QUICK_ADDRESSES } from '../../sandbox/quick-addresses.ts';

const ADDRESSES_MAX = 6;
/** Hosts rest a server that refuses them, and what waits for it says nothing of what grows. */
const ADDRESSES = QUICK_ADDRESSES.filter((email) => !/@(?:greeting-554|ehlo-rejected|mail-rejected)\./.test(email));

export type PacedLoad = {
  /** Milliseconds that the answers since the last call took, and how many calls were not answered with 200. */
  readonly take: () => { readonly tookMs: readonly number[]; readonly failed: number };
  readonly stop: () => Promise<void>;
};

/** So many calls a second, whatever becomes of them, of one to six addresses each. */
export function startPacedLoad(url: string, key: string, callsPerSecond: number): PacedLoad {
  let tookMs: number[] = [];
  let failed = 0;
  let calls = 0;
  const open = new Set<Promise<void>>();
  const call = async (): Promise<void> => {
    const startedAt = performance.now();
    const emails = Array.from(
      { length: 1 + (calls % ADDRESSES_MAX) },
      (_, n) => ADDRESSES[(calls + n) % ADDRESSES.length],
    );
    calls += 1;
    try {
      const answer = await fetch(new URL('/api/v1/verify', url), {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ emails }),
      });
      await answer.arrayBuffer();
      if (answer.status === 200) tookMs.push(performance.now() - startedAt);
      else failed += 1;
    } catch {
      failed += 1;
    }
  };
  const timer = setInterval(() => {
    const made = call().finally(() => open.delete(made));
    open.add(made);
  }, 1_000 / callsPerSecond);
  return {
    take() {
      const taken = { tookMs, failed };
      tookMs = [];
      failed = 0;
      return taken;
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
    },
  };
}
