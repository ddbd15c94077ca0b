import { describe, expect, it } from 'vitest';
import { createScopes } from './scope.ts';

const stubs = [
  { zone: 'test', server: '127.0.0.1:1001' },
  { zone: 'inner.test', server: '127.0.0.1:1002' },
];
const serversOf = (name: string, dns: readonly string[]) =>
  createScopes({ dns, stubs })(name).servers.map(({ address }) => address);

describe('createScopes', () => {
  it.each([
    ['test', '127.0.0.1:1001'],
    ['a.test', '127.0.0.1:1001'],
    ['inner.test', '127.0.0.1:1002'],
    ['a.b.inner.test', '127.0.0.1:1002'],
    ['notinner.test', '127.0.0.1:1001'],
    ['atest', '192.0.2.1:5300'],
    ['test.example', '192.0.2.1:5300'],
  ])('sends %s to %s', (name, server) => {
    expect(serversOf(name, ['192.0.2.1:5300'])).toEqual([server]);
  });

  it('uses the configured resolvers in turn, at most three', () => {
    const dns = ['192.0.2.1', '[2001:db8::1]:5300', '192.0.2.3', '192.0.2.4'];
    expect(serversOf('example', dns)).toEqual(['192.0.2.1', '[2001:db8::1]:5300', '192.0.2.3']);
  });

  it('asks two zones of one server at one and the same server: it has one limit', () => {
    const shared = [...stubs, { zone: 'also.example', server: '127.0.0.1:1001' }];
    const scopeOf = createScopes({ dns: ['127.0.0.1:1001'], stubs: shared });
    expect(scopeOf('a.test').servers[0]).toBe(scopeOf('also.example').servers[0]);
    expect(scopeOf('a.test').servers[0]).toBe(scopeOf('other').servers[0]);
  });

  it("marks results of stubs and configured resolvers as declared, and never the system's", () => {
    const system = createScopes({ dns: [], stubs });
    const named = createScopes({ dns: ['192.0.2.1'], stubs: [] });
    expect([system('example').declared, system('a.test').declared, named('example').declared]).toEqual([
      false,
      true,
      true,
    ]);
  });
});
