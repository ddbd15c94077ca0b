import { describe, expect, it } from 'vitest';
import type { AddressAnswer } from '../../engine/ports/ports.ts';
import { BLOCK_LISTS, checkBlockLists } from './block-lists.ts';
import { checkResolver } from './resolver.ts';

const { signal } = new AbortController();

/** A resolver that knows these names, and certainly no others except those without an answer. */
function resolver(known: Readonly<Record<string, string>>, silent: readonly string[] = []) {
  const asked: string[] = [];
  return {
    asked,
    addresses: async (name: string): Promise<AddressAnswer> => {
      asked.push(name);
      const ip = known[name];
      return {
        addresses: ip === undefined ? [] : [{ ip, declared: false }],
        certain: !silent.some((end) => name.endsWith(end)),
      };
    },
  };
}

describe('block lists', () => {
  it('are queried with the address reversed, IPv4 by bytes and IPv6 by nibbles', async () => {
    const dns = resolver({});
    const [first] = await checkBlockLists(dns, '192.0.2.10', signal);
    expect(first).toMatchObject({ state: 'ok', subject: '192.0.2.10' });
    expect(dns.asked).toEqual(BLOCK_LISTS.map(({ zone }) => `10.2.0.192.${zone}`));
    await checkBlockLists(dns, '2001:db8::5', signal);
    expect(dns.asked.at(-1)).toBe(`5.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.psbl.surriel.com`);
  });

  it('are named with their removal page if they contain the address', async () => {
    const findings = await checkBlockLists(
      resolver({ '10.2.0.192.zen.spamhaus.org': '127.0.0.4' }),
      '192.0.2.10',
      signal,
    );
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([
      {
        check: 'listed',
        subject: '192.0.2.10',
        state: 'mend',
        detail: expect.stringMatching(/^is on zen\.spamhaus\.org \(127\.0\.0\.4\): see https:\/\/check\.spamhaus\.org/),
      },
    ]);
  });

  it.each(['127.255.255.254', '127.255.255.252'])(
    'are unknown if they answer %s, which refuses to tell',
    async (code) => {
      const findings = await checkBlockLists(resolver({ '10.2.0.192.zen.spamhaus.org': code }), '192.0.2.10', signal);
      const detail = expect.stringContaining('does not answer this resolver');
      expect(findings[0]).toMatchObject({ state: 'unknown', detail });
    },
  );

  it('are unknown without an answer, and a foreign address is no entry', async () => {
    const dns = resolver({ '10.2.0.192.bl.spamcop.net': '93.184.216.34' }, ['zen.spamhaus.org']);
    const findings = await checkBlockLists(dns, '192.0.2.10', signal);
    expect(findings.map(({ state }) => state)).toEqual(['unknown', 'ok', 'ok', 'ok']);
  });
});

describe('the resolver', () => {
  const SOUND = { 'iana.org': '192.0.43.8' };
  it.each([
    ['checks signatures', resolver(SOUND, ['dnssec-failed.org']), 'ok', /signatures are checked/],
    ['accepts everything', resolver({ ...SOUND, 'dnssec-failed.org': '192.0.2.1' }), 'mend', /validating resolver/],
    ['knows nothing', resolver({}), 'unknown', /name another/],
    ['does not answer', resolver({}, ['']), 'unknown', /did not answer/],
  ])('%s', async (_what, dns, state, detail) => {
    expect(await checkResolver(dns, signal)).toMatchObject({ state, detail: expect.stringMatching(detail) });
  });
});
