import { OPT_OUT_LABELS_MAX } from '../../schema/admin.ts';

// A list of plain hashes could be tried out with a list of the world's domains. Under a secret that D1 does not have it
// tells nothing.

const utf8 = new TextEncoder();
/** The one secret of the deployment, imported: to import it costs more than to use it. */
let imported: { readonly secret: string; readonly key: Promise<CryptoKey> } | null = null;

/**
 * What stands for a domain that opted out.
 * @param domain in lower-case A-labels
 * @param secret OPT_OUT_SECRET
 * @returns its HMAC-SHA-256, 43 characters of base64url
 */
export async function hashDomain(domain: string, secret: string): Promise<string> {
  const mac = await crypto.subtle.sign('HMAC', await importSecret(secret), utf8.encode(domain));
  const text = btoa(String.fromCharCode(...new Uint8Array(mac)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The domain and those above it that could be listed: neither one label alone nor more than OPT_OUT_LABELS_MAX. Pure. */
export function coveredBy(domain: string): readonly string[] {
  const labels = domain.split('.').slice(-OPT_OUT_LABELS_MAX);
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
}

function importSecret(secret: string): Promise<CryptoKey> {
  if (imported?.secret !== secret) {
    const key = crypto.subtle.importKey('raw', utf8.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    imported = { secret, key };
  }
  return imported.key;
}
