import * as http from 'node:http';
import { Failure } from '../failure/failure.ts';
import type { Environment } from '../environment/environment.ts';

/**
 * Sends what `fetch` asks of a service over https through the proxy that HTTPS_PROXY and NO_PROXY name, in a tunnel in which
 * the proxy sees neither key nor addresses. A service on this machine needs none.
 * @returns undoes it
 * @throws Failure for one that cannot be used; what was given is not repeated, for a password may be in it
 */
export function useProxy(service: URL, env: Environment['env']): () => void {
  const valueOf = (name: string): string => (env[name.toLowerCase()] || env[name] || '').trim();
  const text = valueOf('HTTPS_PROXY');
  if (text === '' || service.protocol !== 'https:') return () => {};
  // As everywhere, `proxy:3128` is a proxy over HTTP.
  const proxy = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol))
    throw new Failure('usage', 'HTTPS_PROXY must be the address of an http or https proxy: correct it or unset it.');
  if (!('setGlobalProxyFromEnv' in http))
    throw new Failure(
      'usage',
      `A proxy needs Node 24.14 or newer, and this is ${process.version}. Or unset HTTPS_PROXY.`,
    );
  return http.setGlobalProxyFromEnv({ https_proxy: proxy, no_proxy: valueOf('NO_PROXY') });
}
