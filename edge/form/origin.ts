import * as z from 'zod';

const LOOPBACK = /^(?:localhost|[a-z0-9-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** An origin as a page of its own has it in the header `Origin`: https, or http on this machine; not a path, not a pattern. */
export const originSchema = z
  .string()
  .max(300)
  .transform((text, context) => {
    const origin = originOf(text.trim());
    if (origin !== null) return origin;
    context.addIssue('must be an origin such as https://shop.example, or http://localhost:3000');
    return z.NEVER;
  });

function originOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.href !== `${url.origin}/` || url.hostname.includes('*')) return null;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname)) ? url.origin : null;
}
