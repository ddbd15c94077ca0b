// What owners write for a site whose pages may use a form's key, and the origin that browsers send for it.

// Every runtime has it; none of their types are visible here.
declare const URL: new (text: string) => { readonly origin: string; readonly href: string; readonly protocol: string };

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** This machine, where pages are written: the one place without https. */
const LOOPBACK = /^(?:https?:\/\/)?(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:\/|$)/i;
const LIKE = 'write a site as https://shop.example';

export type Site = { readonly origin: string } | { readonly wrong: string };

/** The origin of a site: https, or http on this machine; not a path, not a pattern. `shop.example` is enough. Pure. */
export function siteOf(text: string): Site {
  const site = text.trim();
  if (site.length > 300) return { wrong: `this is too long: ${LIKE}` };
  if (site.includes('*')) return { wrong: 'write each site by its full name, without *' };
  const isLoopback = LOOPBACK.test(site);
  const hasScheme = SCHEME.test(site);
  if (!hasScheme && !isLoopback && !/[^.]\.[^.]/.test(site)) return { wrong: LIKE };
  const url = parse(hasScheme ? site : `${isLoopback ? 'http' : 'https'}://${site}`);
  if (url === null || !/^https?:$/.test(url.protocol)) return { wrong: LIKE };
  if (url.protocol === 'http:' && !isLoopback) return { wrong: 'write https: http works on localhost only' };
  if (url.href === `${url.origin}/`) return { origin: url.origin };
  return { wrong: `write the site alone, as ${url.origin}` };
}

function parse(text: string): InstanceType<typeof URL> | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
