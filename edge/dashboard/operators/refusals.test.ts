import { expect, it } from 'vitest';
import { refusalsOf } from './refusals.ts';

type Refusal = { readonly provider: string; readonly refused: number; readonly of: number };
const host = (id: string, ...processes: readonly (readonly Refusal[] | undefined)[]) => ({
  id,
  processes: processes.map((refusals) => ({ refusals: refusals?.map((refusal) => ({ egress: 0, ...refusal })) })),
});

it('refusals are added up by provider and host, the worst first, and a host that does not tell has none', () => {
  const hosts = [
    host('fra-1', [{ provider: 'gmail', refused: 1, of: 100 }], [{ provider: 'gmail', refused: 4, of: 100 }]),
    host('fra-2', [
      { provider: 'gmail', refused: 0, of: 50 },
      { provider: 'yahoo', refused: 5, of: 5 },
    ]),
    host('fra-3', undefined),
  ];
  expect(refusalsOf(hosts)).toEqual([
    { provider: 'yahoo', host: 'fra-2', refused: 5, of: 5 },
    { provider: 'gmail', host: 'fra-1', refused: 5, of: 200 },
  ]);
});
