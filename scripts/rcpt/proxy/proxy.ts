import { Failure } from '../failure/failure.ts';

/** A proxy between the command and the service. */
export type Proxy = {
  readonly url: URL;
  /** For the header Proxy-Authorization; null: it wants none. */
  readonly authorization: string | null;
};

type Env = Readonly<Record<string, string | undefined>>;

/** Where the environment sends everybody: in small letters too, which go first. */
const VARIABLES = { 'https:': 'HTTPS_PROXY', 'http:': 'HTTP_PROXY' } as const;
/** This machine, as a host of a URL. */
export const LOCAL = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name for a service. Pure.
 * @returns null: the service is called directly
 * @throws Failure for one that cannot be used; what was given is not repeated, for a password may be in it
 */
export function proxyFor(service: URL, env: Env): Proxy | null {
  const name = service.protocol === 'https:' ? VARIABLES['https:'] : VARIABLES['http:'];
  const text = valueOf(name, env);
  if (text === '' || isExcepted(service, valueOf('NO_PROXY', env))) return null;
  // As everywhere, `proxy:3128` is a proxy over HTTP.
  const address = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.hostname === '') throw refused(name, 'is not the address of a proxy');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused(
      name,
      `names a proxy of another kind (${url.protocol.slice(0, -1)}): only http and https are supported`,
    );
  if (service.protocol === 'http:' && url.protocol === 'http:' && !LOCAL.test(url.hostname))
    throw refused(name, 'would carry the API key to another machine in plain text');
  const { username, password } = url;
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, authorization: username === '' ? null : `Basic ${Buffer.from(plain).toString('base64')}` };
}

function valueOf(name: string, env: Env): string {
  return (env[name.toLowerCase()] || env[name] || '').trim();
}

/** NO_PROXY: names that stand for their subdomains too, with a port or without; `*` is everything. */
function isExcepted({ hostname, port, protocol }: URL, exceptions: string): boolean {
  const portUsed = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return exceptions.split(/[\s,]+/).some((exception) => {
    if (exception === '*') return true;
    const [, name = '', wantedPort = portUsed] =
      /^(?:\*?\.)?(\[.*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(exception) ?? [];
    const host = name.toLowerCase();
    const own = hostname.replace(/^\[|\]$/g, '');
    return host !== '' && wantedPort === portUsed && (own === host.replace(/^\[|\]$/g, '') || own.endsWith(`.${host}`));
  });
}

function refused(name: string, what: string): Failure {
  return new Failure('usage', `${name} ${what}. Unset it, or name the service's host in NO_PROXY.`);
}
