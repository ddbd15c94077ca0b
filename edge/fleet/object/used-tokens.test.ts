import { describe, expect, it } from 'vitest';
import { MapStore } from '../../testing/map-store.ts';
import { UsedTokens } from './used-tokens.ts';

const FORGOTTEN_MS = 75_000;

describe('UsedTokens', () => {
  it('takes a token once, until it can hold no longer', () => {
    const tokens = new UsedTokens(new MapStore());
    expect(tokens.use('h', 'a', 0)).toBe(true);
    expect(tokens.use('h', 'a', FORGOTTEN_MS - 1)).toBe(false);
    expect(tokens.use('h', 'b', 1)).toBe(true);
    expect(tokens.use('h', 'a', FORGOTTEN_MS)).toBe(true);
  });

  it('knows the hosts apart', () => {
    const tokens = new UsedTokens(new MapStore());
    expect(tokens.use('h', 'a', 0)).toBe(true);
    expect(tokens.use('other', 'a', 0)).toBe(true);
  });

  it('remembers what an object before it took', () => {
    const store = new MapStore();
    new UsedTokens(store).use('h', 'a', 0);
    const tokens = new UsedTokens(store);
    expect(tokens.use('h', 'a', 1_000)).toBe(false);
    expect(tokens.use('h', 'a', FORGOTTEN_MS)).toBe(true);
  });

  it('keeps 128 of a host and refuses more, which costs no other host anything', () => {
    const store = new MapStore();
    const tokens = new UsedTokens(store);
    const taken = Array.from({ length: 5_000 }, (_, n) => tokens.use('liar', `t${n}`, 0)).filter(Boolean);
    expect(taken).toHaveLength(128);
    expect(store.rows.size).toBe(128);
    expect(tokens.use('h', 'a', 0)).toBe(true);
    expect(tokens.use('liar', 'late', FORGOTTEN_MS)).toBe(true);
    expect(store.rows.size).toBe(1);
  });
});
