import { RequestError } from '../../schema/errors.ts';
import { type JoinBody, JOIN_BODY_BYTES_MAX, joinBodySchema, type Joined } from '../../schema/join.ts';
import { parseJson } from '../../schema/parse-json.ts';
import { readBody } from '../access/body.ts';
import { turnAway } from '../access/shield.ts';
import type { Call } from '../base/call.ts';
import { publicSigningKeys } from '../fleet/keys/edge-keys.ts';
import { log } from '../base/log.ts';
import { fleetShards } from '../base/objects.ts';
import { keyText } from './enrol.ts';
import { type Redeemed, redeem } from './invitations.ts';
import { hashOf, proveKey } from './prove-key.ts';

/**
 * `POST /join`: a machine with an invitation becomes a probe host. D1 is not read for a malformed invitation or a wrong
 * proof; failures count against the caller's network.
 * @throws RequestError UNAUTHORIZED (no such invitation), CONFLICT (it was used, has expired, or the name is taken),
 * INVALID_INPUT, RATE_LIMITED
 */
export async function join(call: Call): Promise<Response> {
  turnAway(call);
  const body = await readJoin(call.request);
  const { origin } = new URL(call.request.url);
  const hash = await hashOf(body.invitation);
  const proof = await proveKey(body.proof, body.publicKey, hash, origin, call.startedMs);
  if (proof === null)
    throw new RequestError(
      'UNAUTHORIZED',
      `The proof is not signed with the key that was sent, for this invitation and ${origin}.`,
    );
  if (proof.aheadS !== 0) throw new RequestError('UNAUTHORIZED', clockWords(proof.aheadS));
  const redeemed = await redeem(call.env.DB, hash, keyText(body.publicKey));
  if (redeemed.kind !== 'joined') throw refusal(redeemed);
  const { host, isNew } = redeemed;
  if (isNew) {
    log('info', 'host_enrolled', { host });
    // A Fleet object keeps a removed name out for a moment; one that is not told lets it in a little later.
    await Promise.allSettled(fleetShards(call).map((shard) => shard.setHostState(host, 'active')));
  }
  const joined: Joined = {
    host,
    shards: call.config.FLEET_SHARDS,
    edgeKeys: [...publicSigningKeys(call.config.EDGE_SIGNING_KEY)],
  };
  return Response.json(joined, { status: isNew ? 201 : 200 });
}

async function readJoin(request: Request): Promise<JoinBody> {
  const text = new TextDecoder().decode(await readBody(request, JOIN_BODY_BYTES_MAX));
  const body = joinBodySchema.safeParse(parseJson(text));
  if (body.success) return body.data;
  const issue = body.error.issues[0];
  throw new RequestError('INVALID_INPUT', `${issue?.path.join('.') ?? 'body'}: ${issue?.message ?? 'malformed'}.`);
}

function clockWords(aheadS: number): string {
  const [by, way] = [Math.abs(aheadS), aheadS > 0 ? 'ahead of' : 'behind'];
  return `The clock of this machine is ${by} s ${way} ours: set it (timedatectl set-ntp true) and join again.`;
}

function refusal(redeemed: Exclude<Redeemed, { kind: 'joined' }>): RequestError {
  const again = 'ask for a new one (admin host invite NAME)';
  switch (redeemed.kind) {
    case 'unknown':
      return new RequestError('UNAUTHORIZED', `This deployment has no such invitation: check the URL, or ${again}.`);
    case 'used':
      return new RequestError(
        'CONFLICT',
        `The invitation for ${redeemed.host} was used by another machine: if that was not you, remove ${redeemed.host} at once; then ${again}.`,
      );
    case 'late':
      return new RequestError('CONFLICT', `The invitation for ${redeemed.host} was valid for 15 minutes: ${again}.`);
    case 'taken':
      return new RequestError(
        'CONFLICT',
        `A host ${redeemed.host} has been enrolled since: ${again} for another name.`,
      );
    case 'removed':
      return new RequestError('CONFLICT', `Host ${redeemed.host} was removed after it had joined: ${again}.`);
  }
}
