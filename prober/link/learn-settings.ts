import { type EdgeSettings, SETTINGS_TOKEN_TYPE, settingsClaimsSchema } from '../../schema/join.ts';
import { type Identity, provenClaims } from './identity.ts';

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
  const claims = await provenClaims(identity, token, { typ: SETTINGS_TOKEN_TYPE, schema: settingsClaimsSchema }, now);
  return claims === null ? null : { shards: claims.shards, edgeKeys: claims.edgeKeys };
}
