import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BASE62, hashKey, isIssued, STEM_LENGTH, TAG_LENGTH, tagOf } from './key.ts';

const PREFIX = 'svc_live_';
const base62 = fc.constantFrom(...BASE62.split(''));
const randomPart = fc.string({ unit: base62, minLength: STEM_LENGTH, maxLength: STEM_LENGTH });

describe('isIssued', () => {
  it('accepts a tag made with any of the secrets', async () => {
    await fc.assert(
      fc.asyncProperty(randomPart, fc.constantFrom('new', 'old'), async (random, secret) => {
        const stem = PREFIX + random;
        expect(await isIssued(stem + (await tagOf(stem, secret)), PREFIX, ['new', 'old'])).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('rejects a key with any character changed', async () => {
    const stem = `${PREFIX}${'k'.repeat(STEM_LENGTH)}`;
    const key = stem + (await tagOf(stem, 'new'));
    const at = fc.integer({ min: 0, max: key.length - 1 });
    await fc.assert(
      fc.asyncProperty(at, base62, async (i, char) => {
        fc.pre(key[i] !== char);
        expect(await isIssued(key.slice(0, i) + char + key.slice(i + 1), PREFIX, ['new'])).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['withdrawn secrets', ['other'], (key: string) => key],
    ['another prefix', ['new'], (key: string) => key.replace('svc_live_', 'svc_test_')],
    ['a character less', ['new'], (key: string) => key.slice(0, -1)],
    ['a character more', ['new'], (key: string) => `${key}0`],
    ['no secret part', ['new'], () => PREFIX],
    ['nothing at all', ['new'], () => ''],
  ])('rejects %s', async (_name, secrets, change) => {
    const stem = `${PREFIX}${'k'.repeat(STEM_LENGTH)}`;
    const key = stem + (await tagOf(stem, 'new'));
    expect(await isIssued(change(key), PREFIX, secrets)).toBe(false);
  });
});

describe('tagOf', () => {
  it('returns eight base62 characters that depend on the secret', async () => {
    const tag = await tagOf('svc_live_abc', 'one');
    expect(tag).toMatch(new RegExp(`^[0-9A-Za-z]{${TAG_LENGTH}}$`));
    expect(await tagOf('svc_live_abc', 'two')).not.toBe(tag);
  });

  it('never changes, because keys in use depend on it', async () => {
    expect(await tagOf('svc_live_000000000000000000000000000000', 'secret')).toBe('tnRf9ZeC');
  });
});

describe('hashKey', () => {
  it('returns SHA-256 in hexadecimal', async () => {
    expect(await hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
