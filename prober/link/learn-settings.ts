import { jwtVerify } from 'jose';
import { type EdgeSettings, SETTINGS_TOKEN_TYPE, settingsClaimsSchema } from '../../schema/join.ts';
import { TOKEN_MAX_AGE_S } from '../../schema/link.ts';
import type { Identity } from './identity.ts';

/**
 * What the edge says of itself, proven: signed with a key that this host knows already, for this host, just now. So a
 * key that was stolen lasts no longer than the edge signs with it, and nobody in between can add one.
 * @param now milliseconds since 1970
 * @returns null for everything else
 */
export async function learnSettings(
  identity: Pick<Identity, 'host' | 'edgeKeys'>,
  token: string,
  now: number,
): Promise<EdgeSettings | null> {
  for (const key of identity.edgeKeys) {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['EdDSA', 'Ed25519'],
        typ: SETTINGS_TOKEN_TYPE,
        currentDate: new Date(now),
      });
      const claims = settingsClaimsSchema.safeParse(payload);
      if (!claims.success || claims.data.host !== identity.host) return null;
      const { iat, shards, edgeKeys } = claims.data;
      return Math.abs(now / 1000 - iat) > TOKEN_MAX_AGE_S ? null : { shards, edgeKeys };
    } catch {
      // Another key may fit.
    }
  }
  return null;
}
