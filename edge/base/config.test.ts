import { describe, expect, it } from 'vitest';
import { parseConfig, readConfig } from './config.ts';
import { publicHalf } from '../../schema/jwk.ts';
import { makeKey } from '../../schema/testing/make-key.ts';

const secrets = (KEY_SECRETS: string) => ({
  KEY_SECRETS,
  OPERATOR_KEYS: '{}',
  EDGE_SIGNING_KEY: JSON.stringify(makeKey()),
});
const LONG = 'x'.repeat(32);
const SHORT = 'y'.repeat(31);

it.each([
  ['no JSON', 'x'],
  ['a public key', JSON.stringify(publicHalf(makeKey()))],
  ['no key', '[]'],
])('EDGE_SIGNING_KEY may not be %s: the fleet would stop answering', (_name, EDGE_SIGNING_KEY) => {
  expect(parseConfig({ ...secrets(LONG), EDGE_SIGNING_KEY })).toEqual({ wrong: ['EDGE_SIGNING_KEY'] });
});

it.each([
  ['missing', undefined],
  ['no JSON', 'secret'],
  ['a list', '[]'],
  ['a private key', JSON.stringify({ ann: { kty: 'OKP', crv: 'Ed25519', x: 'short', d: 'secret' } })],
  ['under an email address', JSON.stringify({ 'ann@example.com': publicHalf(makeKey()) })],
])('OPERATOR_KEYS that is %s affects operators only', (_name, OPERATOR_KEYS) => {
  expect(parseConfig({ ...secrets(LONG), OPERATOR_KEYS })).toMatchObject({ OPERATOR_KEYS: null });
});

it.each([
  ['of the pages, forms and test keys', { KEY_PREFIX: 'svc_' }],
  ['of forms', { KEY_PREFIX: 'svc_f' }],
  ['of live keys', { TEST_KEY_PREFIX: 'svc_live_test_' }],
  ['that is equal', { TEST_KEY_PREFIX: 'svc_live_' }],
])('a prefix of keys may not begin with another one: %s', (_what, variables) => {
  expect(parseConfig({ ...secrets(LONG), ...variables })).toEqual({ wrong: ['KEY_PREFIX', 'TEST_KEY_PREFIX'] });
});

it('a batch may not last until Cloudflare gives up on the request', () => {
  expect(parseConfig({ ...secrets(LONG), BATCH_DEADLINE_S: '100' })).toMatchObject({ BATCH_DEADLINE_S: 100 });
  expect(parseConfig({ ...secrets(LONG), BATCH_DEADLINE_S: '101' })).toEqual({ wrong: ['BATCH_DEADLINE_S'] });
});

describe('KEY_SECRETS', () => {
  it.each([
    ['one of 32 bytes', LONG, [LONG]],
    ['two of them, spaced', `${LONG} , ${LONG}2`, [LONG, `${LONG}2`]],
    ['one of 32 bytes in 16 characters', 'é'.repeat(16), ['é'.repeat(16)]],
    ['what openssl rand -hex 32 prints', `${'0f'.repeat(32)}\n`, ['0f'.repeat(32)]],
  ])('accepts %s', (_name, text, read) => {
    expect(parseConfig(secrets(text))).toMatchObject({ KEY_SECRETS: read });
  });

  it.each([
    ['none', ''],
    ['an empty one', `${LONG},`],
    ['one of 31 bytes', SHORT],
    ['one of 31 bytes and spaces', ` ${SHORT} `],
    ['a long one and an old one that is short', `${LONG},${SHORT}`],
  ])('rejects %s, naming the variable and not its value', (_name, text) => {
    expect(parseConfig(secrets(text))).toEqual({ wrong: ['KEY_SECRETS'] });
    expect(() => readConfig(secrets(text))).toThrow(/^Worker variables missing or wrong: KEY_SECRETS$/);
  });
});
