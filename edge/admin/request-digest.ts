import { base64url } from 'jose';

/**
 * What an operator's token is bound to: base64url SHA-256 over the method, LF, the path with its query, LF and the
 * bytes of the body. A stolen token is good for nothing but the one call it was made for.
 */
export async function requestDigest(method: string, pathAndQuery: string, body: Uint8Array): Promise<string> {
  const head = new TextEncoder().encode(`${method}\n${pathAndQuery}\n`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}
