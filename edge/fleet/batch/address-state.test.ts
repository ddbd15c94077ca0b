import { describe, expect, it } from 'vitest';
import { ACCEPTED, POLICY, seen, TIMEOUT } from '../../../schema/testing/link-evidence.ts';
import type { HostRef } from '../trust/roster.ts';
import { AddressStates, HostLists, newAddress, type AddressState } from './address-state.ts';

const DENIED = seen({ kind: 'mx_lookup_failed' });
const ref = (host: string): HostRef => ({ host, instance: host, egress: [host] });
const [a, b] = [ref('a'), ref('b')];
const held = (changes: Partial<AddressState> = {}): AddressState => ({
  ...newAddress({ domain: 1, zone: 1 }),
  state: 'held',
  best: { from: a, evidence: ACCEPTED },
  tried: [a],
  ...changes,
});
const indexes = (...states: readonly AddressState[]): number[][] =>
  [...new AddressStates(states).groupsOf('held')].map((group) => group.indexes);

describe('a group', () => {
  it('is of all addresses in one state that stand alike, whatever their domains', () => {
    expect(indexes(held(), { ...held(), state: 'out' }, { ...held(), domain: 2 })).toEqual([[0, 2]]);
  });

  it.each<[string, Partial<AddressState>]>([
    ['others have tried', { tried: [b] }],
    ['more have tried', { tried: [a, b] }],
    ['only another egress address can help', { best: { from: a, evidence: POLICY } }],
    ['a host has declined', { declined: true }],
    ['the best evidence is in doubt', { best: { from: a, evidence: TIMEOUT } }],
    ['a resolver denies it', { best: { from: a, evidence: DENIED } }],
  ])('has no address that %s if the others do not stand so', (_what, changes) => {
    expect(indexes(held(), held(changes), held())).toEqual([[0, 2], [1]]);
  });
});

describe('the lists of hosts', () => {
  it('are shared by all that the same hosts have tried in the same order', () => {
    const lists = new HostLists();
    const first = lists.after([], a);
    expect(first).toEqual([a]);
    expect(lists.after([], a)).toBe(first);
    const both = lists.after(first, b);
    expect(both).toEqual([a, b]);
    expect(lists.after([a], b)).toBe(both);
    expect(lists.after([b], a)).toEqual([b, a]);
    expect(lists.after([], b)).toEqual([b]);
  });
});
