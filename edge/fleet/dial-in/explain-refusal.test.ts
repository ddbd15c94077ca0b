import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { expect, it } from 'vitest';
import type { HostState } from '../../../schema/words/stored.ts';
import { explainRefusal } from './explain-refusal.ts';
import { RefusedLinks } from './refused-links.ts';

const ORIGIN = 'https://rcpt.example';
const NOW_S = 1_800_000_000;
const KNOWN: Readonly<Record<string, HostState>> = { 'fra-1': 'active', 'fra-2': 'removed' };

async function header(changes: { iss?: string; aud?: string; iat?: number }): Promise<string> {
  const { iss = 'fra-1', aud = ORIGIN, iat = NOW_S } = changes;
  const token = new SignJWT().setProtectedHeader({ alg: 'HS256' }).setIssuer(iss).setAudience(aud).setIssuedAt(iat);
  return `Bearer ${await token.setJti(randomUUID()).sign(new Uint8Array(32))}`;
}
const explain = (text: string | null) => explainRefusal(text, ORIGIN, NOW_S * 1_000, (host) => KNOWN[host] ?? null);

it.each([
  ['a host that nobody enrolled', { iss: 'fra-9' }, { host: null, why: 'not an enrolled host' }],
  ['a name that is none', { iss: 'mail.example.com' }, { host: null, why: 'not an enrolled host' }],
  ['a removed host', { iss: 'fra-2' }, { host: 'fra-2', why: 'it was removed' }],
  [
    'another deployment',
    { aud: 'https://other.example' },
    { host: 'fra-1', why: 'its enrolment names another origin' },
  ],
  ['a clock that is ahead', { iat: NOW_S + 3_600 }, { host: 'fra-1', why: 'its clock is 3600 s ahead' }],
  ['a clock that is a little ahead', { iat: NOW_S + 6 }, { host: 'fra-1', why: 'its clock is 6 s ahead' }],
  ['a clock that is behind', { iat: NOW_S - 90 }, { host: 'fra-1', why: 'its clock is 90 s behind' }],
  ['another key', {}, { host: 'fra-1', why: expect.stringContaining('its key is not the enrolled one') }],
])('%s is explained', async (_name, changes, refusal) => {
  expect(explain(await header(changes))).toEqual(refusal);
});

it.each([null, '', 'Bearer', 'Bearer a.b.c', 'Basic Zm9v'])('%s names no enrolled host', (text) => {
  expect(explain(text)).toEqual({ host: null, why: 'not an enrolled host' });
});

it('a refusal is reported once a minute, per host and once for all strangers', () => {
  const links = new RefusedLinks();
  const [known, stranger] = [
    { host: 'fra-1', why: 'x' },
    { host: null, why: 'x' },
  ];
  expect([links.isNews(known, 0), links.isNews(stranger, 0)]).toEqual([true, true]);
  expect([links.isNews(known, 59_999), links.isNews(stranger, 59_999)]).toEqual([false, false]);
  expect(links.isNews(known, 60_000)).toBe(true);
});
