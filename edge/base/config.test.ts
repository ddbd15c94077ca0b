import { describe, expect, it } from 'vitest';
import { parseConfig, readConfig } from './config.ts';

const secrets = (KEY_SECRETS: string) => ({ KEY_SECRETS, OPERATOR_KEYS: '{}', EDGE_SIGNING_KEY: '{}' });
const LONG = 'x'.repeat(32);
const SHORT = 'y'.repeat(31);

describe('KEY_SECRETS', () => {
  it.each([
    ['one of 32 bytes', LONG, [LONG]],
    ['two of them, spaced', `${LONG} , ${LONG}2`, [LONG, `${LONG}2`]],
    ['one of 32 bytes in 16 characters', 'é'.repeat(16), ['é'.repeat(16)]],
    ['what openssl rand -hex 32 prints', `${'0f'.repeat(32)}\n`, ['0f'.repeat(32)]],
  ])('may be %s', (_name, text, read) => {
    expect(parseConfig(secrets(text))).toMatchObject({ KEY_SECRETS: read });
  });

  it.each([
    ['none', ''],
    ['an empty one', `${LONG},`],
    ['one of 31 bytes', SHORT],
    ['one of 31 bytes and spaces', ` ${SHORT} `],
    ['a long one and an old one that is short', `${LONG},${SHORT}`],
  ])('may not be %s: the variable is named, its value is not', (_name, text) => {
    expect(parseConfig(secrets(text))).toEqual({ wrong: ['KEY_SECRETS'] });
    expect(() => readConfig(secrets(text))).toThrow(/^Worker variables missing or wrong: KEY_SECRETS$/);
  });
});
