import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FleetJob } from '../base/fleet-protocol.ts';
import { batchIndexes } from '../base/indexes.ts';
import { scriptedEvidence } from '../testing/worker/outcomes.ts';
import { sortEntries } from './entries.ts';
import type { Found } from './fleet-lines.ts';
import { type AddressEvidence, UNPROBED } from './judge.ts';
import { withoutOptedOut } from './opted-out.ts';

const KEPT = ['good.test', 'dead.test', 'policy.test', 'nobanner.test'];

/** A fleet that answers in the order of the batch, backwards, by domain. */
async function* probe(batch: FleetJob['addresses']): AsyncGenerator<readonly Found[]> {
  for (const index of batchIndexes(batch.length).toReversed())
    yield [{ index, evidence: scriptedEvidence(batch[index]?.[1] ?? '') ?? UNPROBED }];
}

it('an address has the evidence of its own domain, no matter which others opted out', async () => {
  const domains = fc.array(fc.constantFrom(...KEPT, 'shy.test', 'coy.test'), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(domains, async (picked) => {
      const { addresses } = sortEntries(picked.map((domain, i) => `a${i}@${domain}`));
      const shy = addresses.filter(({ domain }) => !KEPT.includes(domain)).map(({ index }) => index);
      const found: AddressEvidence[] = [];
      for await (const news of withoutOptedOut(addresses, new Set(shy), probe)) found.push(...news);
      const kinds = new Map(found.map(({ address, evidence }) => [address, evidence.outcome.kind]));
      expect(found).toHaveLength(addresses.length);
      expect(addresses.map(({ index }) => kinds.get(index))).toEqual(
        picked.map((domain) => (KEPT.includes(domain) ? scriptedEvidence(domain)?.outcome.kind : 'opted_out')),
      );
    }),
    { numRuns: 50 },
  );
});
