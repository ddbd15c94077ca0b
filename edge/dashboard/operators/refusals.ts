import type { HostEntry } from '../../../schema/admin.ts';

/** What is read of a host: a process of an older version does not say who refuses it. */
type Refused = Pick<HostEntry, 'id'> & {
  readonly processes: ReadonlyArray<Pick<HostEntry['processes'][number], 'refusals'>>;
};
export type HostRefusal = {
  readonly provider: string;
  readonly host: string;
  readonly refused: number;
  readonly of: number;
};

/** How often each provider refused each host, all its processes and addresses together, the worst first. Pure. */
export function refusalsOf(hosts: readonly Refused[]): readonly HostRefusal[] {
  const sums = new Map<string, HostRefusal>();
  for (const { id: host, processes } of hosts)
    for (const { refusals = [] } of processes)
      for (const { provider, refused, of } of refusals) {
        const key = `${provider} ${host}`;
        const before = sums.get(key) ?? { provider, host, refused: 0, of: 0 };
        sums.set(key, { provider, host, refused: before.refused + refused, of: before.of + of });
      }
  return [...sums.values()]
    .filter(({ refused }) => refused > 0)
    .toSorted((a, b) => b.refused / b.of - a.refused / a.of || b.refused - a.refused);
}
