import { parse, serialize } from 'hono/utils/cookie';
import { SESSION_MS } from '../people/sessions.ts';
import { TOKEN_LENGTH } from '../people/token.ts';

// `__Host-` binds the cookie to this very host and to HTTPS (RFC 6265bis §4.1.3.2): no other subdomain can set or see it.

const NAME = '__Host-rcpt';
const TOKEN = new RegExp(`^[0-9A-Za-z]{${TOKEN_LENGTH}}$`);
const OPTIONS = { path: '/', httpOnly: true, secure: true, sameSite: 'Lax' } as const;

/** The session token of a request; null if it has no well-formed one. */
export function sessionToken(request: Request): string | null {
  const header = request.headers.get('cookie');
  const token = header === null ? undefined : parse(header, NAME)[NAME];
  return token !== undefined && TOKEN.test(token) ? token : null;
}

/** The header that gives a browser its session. */
export function sessionCookie(token: string): Readonly<Record<'set-cookie', string>> {
  return { 'set-cookie': serialize(NAME, token, { ...OPTIONS, maxAge: SESSION_MS / 1000 }) };
}

/** The header that takes it back. */
export function noCookie(): Readonly<Record<'set-cookie', string>> {
  return { 'set-cookie': serialize(NAME, '', { ...OPTIONS, maxAge: 0 }) };
}
