import { expect, test } from 'vitest';
import { sandboxEvidence } from '../../edge/sandbox/sandbox.ts';
import { sortEntries } from '../../edge/verify/entries.ts';
import { judgeSlot } from '../../edge/verify/judge.ts';
import { isRefunded } from '../../schema/outcomes.ts';
import { DOMAINS } from './domains.ts';
import { expectedResult, WORLD } from './world.ts';

// What test keys are answered with is what the service answers: the same table is posted to a running one in
// `scripts/sandbox.service.test.ts`.

const { slots, addresses } = sortEntries(WORLD.map(({ address }) => address));
const known = new Map(addresses.map(({ index, local, domain }) => [index, sandboxEvidence(local, domain)]));

test('a test key gets, for every address of the sandbox, the verdict of the table', () => {
  expect(slots.map((slot) => judgeSlot(slot, known))).toEqual(WORLD.map(expectedResult));
});

test('an address of the table is free by its recorded evidence exactly if the table says so', () => {
  const free = slots.map((slot) => {
    if (slot.kind !== 'address') return true;
    const evidence = known.get(slot.address);
    return evidence !== undefined && isRefunded(evidence.outcome);
  });
  expect(free).toEqual(WORLD.map((row) => row.free));
});

test('every domain of the table says what becomes of everyone else there', () => {
  const domains = new Set(addresses.map(({ domain }) => domain).filter((domain) => DOMAINS.has(domain)));
  expect(domains.size).toBeGreaterThan(40);
  for (const domain of domains) {
    const evidence = sandboxEvidence('somebody-of-no-row', domain);
    const mx = DOMAINS.get(domain)?.mx;
    expect({ domain, mx: evidence.mx }).toEqual({ domain, mx: typeof mx === 'string' ? [] : (mx ?? []) });
    expect(evidence.outcome.kind).not.toBe('unprobed');
  }
  expect(sandboxEvidence('somebody-of-no-row', 'deliverable.test').outcome.kind).toBe('no_such_mailbox');
});

test('a domain that is not of the sandbox is not known, and nothing is said of it', () => {
  expect(sandboxEvidence('someone', 'example.com')).toMatchObject({ mx: [], outcome: { kind: 'mx_lookup_failed' } });
});
