import { describe, expect, it } from 'vitest';
import { type Config, parseConfig } from '../base/config.ts';
import { bearerOf, findBearer } from './known-keys.ts';
import { mintKey } from './mint.ts';
import { makeKey } from '../../schema/testing/make-key.ts';

function configWith(secret: string): Config {
  const config = parseConfig({
    KEY_SECRETS: secret.padEnd(32, '.'),
    OPERATOR_KEYS: '{}',
    EDGE_SIGNING_KEY: JSON.stringify(makeKey()),
  });
  if ('wrong' in config) throw new Error(config.wrong.join(', '));
  return config;
}

const madeUp = (n: number): string => `svc_live_${String(n).padStart(38, '0')}`;

describe('findBearer', () => {
  it('returns the same bearer for the same key, and null for a key that was not issued', async () => {
    const config = configWith('a secret');
    const key = await mintKey(config, { accountId: 'acme', database: 0 });
    const bearer = await findBearer(key, config);
    expect(bearer).toEqual(await bearerOf(key));
    expect(await findBearer(key, config)).toBe(bearer);
    for (const wrong of [madeUp(1), 'x']) expect(await findBearer(wrong, config)).toBeNull();
  });

  it('checks again under other secrets', async () => {
    const old = configWith('an old secret');
    const key = await mintKey(old, { accountId: 'acme', database: 0 });
    expect(await findBearer(key, old)).not.toBeNull();
    expect(await findBearer(key, configWith('a new secret'))).toBeNull();
  });
});
