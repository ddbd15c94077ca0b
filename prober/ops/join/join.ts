import { createHash, createPrivateKey, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { errorBodySchema } from '../../../schema/api.ts';
import type { Enrolment } from '../../../schema/enrolment.ts';
import { invitationSchema, JOIN_PATH, JOIN_TOKEN_TYPE, type JoinBody, joinedSchema } from '../../../schema/join.ts';
import { type PrivateJwk, publicHalf } from '../../../schema/jwk.ts';
import { causeOf } from '../../link/why-lost.ts';

const ANSWERS_WITHIN_MS = 30_000;
const LOCAL = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Why enrolment failed and what to do, in one line. */
export class JoinError extends Error {
  override readonly name = 'JoinError';
  /** Running the same command again cannot succeed. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** Makes this machine a probe host of a deployment; only the public half of its key leaves it. @throws JoinError */
export async function join(
  url: string,
  invitation: string,
  privateKey: PrivateJwk,
  nowMs: () => number,
): Promise<Enrolment> {
  const origin = originOf(url);
  const checked = invitationSchema.safeParse(invitation);
  if (!checked.success) throw new JoinError(checked.error.issues[0]?.message ?? 'the invitation is malformed', true);
  const body = {
    invitation,
    publicKey: publicHalf(privateKey),
    proof: await prove(privateKey, invitation, origin, nowMs()),
  };
  const response = await ask(origin, body);
  const json: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const refusal = errorBodySchema.loose().safeParse(json);
    const words = refusal.success
      ? refusal.data.error
      : `${origin} answered HTTP ${response.status}; is it an rcpt deployment?`;
    throw new JoinError(words, response.status < 500 && response.status !== 429);
  }
  const joined = joinedSchema.safeParse(json);
  if (!joined.success)
    throw new JoinError(`${origin} sent an unknown response; is it an rcpt deployment of this version?`, false);
  const { host, shards, edgeKeys } = joined.data;
  return { v: 1, host, origin, shards, privateKey, edgeKeys, madeAt: nowMs() };
}

/** The origin of a URL. Plain HTTP is allowed only for localhost: elsewhere an intermediary could answer for the edge. */
function originOf(text: string): string {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isHttp || url.pathname !== '/' || url.search !== '' || url.username !== '')
    throw new JoinError('URL must have only a scheme, a host and a port, such as https://verify.example.com', true);
  if (url.protocol === 'http:' && !LOCAL.test(url.hostname))
    throw new JoinError('URL must be https; plain http is allowed only for localhost', true);
  return url.origin;
}

function prove(key: PrivateJwk, invitation: string, origin: string, nowMs: number): Promise<string> {
  return new SignJWT({ nonce: randomUUID() })
    .setProtectedHeader({ alg: 'EdDSA', typ: JOIN_TOKEN_TYPE })
    .setAudience(origin)
    .setJti(createHash('sha256').update(invitation).digest('base64url'))
    .setIssuedAt(Math.floor(nowMs / 1000))
    .sign(createPrivateKey({ key, format: 'jwk' }));
}

async function ask(origin: string, body: JoinBody): Promise<Response> {
  try {
    return await fetch(origin + JOIN_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
  } catch (error) {
    const cause = error instanceof Error ? causeOf(error.cause) : null;
    const why = cause === null ? '' : ` (${cause})`;
    throw new JoinError(
      `No response from ${origin}${why}; check the URL and the network, then run the same command again`,
      false,
    );
  }
}
