import { CompactSign } from 'jose';
import { describe, expect, it } from 'vitest';
import { identify, type Identity, makeHostToken } from '../../prober/link/identity.ts';
import { verifyJob } from '../../prober/link/verify-job.ts';
import { publicHalf } from '../../schema/jwk.ts';
import { HOST_TOKEN_TYPE, JOB_TOKEN_TYPE, type JobClaims } from '../../schema/link.ts';
import { WEEK_S } from '../../schema/week.ts';
import { makeKey } from '../../schema/testing/make-key.ts';
import { createJobSigner, type SignedJob } from '../../edge/fleet/keys/sign-job.ts';

const NOW = 1_800_000_000_000;
const INSTANCE = 'instance-of-16-chars';
const edgeKey = makeKey();
const nextKey = makeKey();
const hostKey = makeKey();

function host(changes: { host?: string; instance?: string } = {}): Identity {
  const privateKey = hostKey;
  return identify(
    {
      v: 1,
      host: changes.host ?? 'probe-1',
      origin: 'https://rcpt.example',
      shards: 1,
      privateKey,
      edgeKeys: [publicHalf(nextKey), publicHalf(edgeKey)],
    },
    changes.instance ?? INSTANCE,
    0,
  );
}
const payload = JSON.stringify({ addresses: [['x', 'a.test']] });
const job: SignedJob = {
  jobId: 'batch-1.1',
  to: { host: 'probe-1', instance: INSTANCE },
  remainingMs: 30_000,
  account: 7,
  payload,
};
const sign = createJobSigner(JSON.stringify([edgeKey, nextKey]));

/** A token whose claims are true, but for the changes. */
async function forge(changes: Partial<JobClaims>, typ = JOB_TOKEN_TYPE, key = edgeKey): Promise<string> {
  const claims = JSON.parse(Buffer.from((await sign(job, NOW)).split('.')[1] ?? '', 'base64url').toString());
  return new CompactSign(new TextEncoder().encode(JSON.stringify({ ...claims, ...changes })))
    .setProtectedHeader({ alg: 'EdDSA', typ })
    .sign(
      identify({ v: 1, host: 'x', origin: 'https://x', shards: 1, privateKey: key, edgeKeys: [] }, '', 0).privateKey,
    );
}

describe('a signed job', () => {
  it('is run by the process that it was signed for', async () => {
    expect(await verifyJob(host(), await sign(job, NOW), payload, NOW)).toEqual({
      id: 'batch-1.1',
      remainingMs: 30_000,
      payloadHash: expect.stringMatching(/^[\w-]{43}$/),
      account: 7,
      week: { nowS: NOW / 1_000, seeds: [expect.stringMatching(/^[\w-]{43}$/), expect.stringMatching(/^[\w-]{43}$/)] },
      addresses: [['x', 'a.test']],
    });
  });

  it('may be signed by any of the keys that the host knows', async () => {
    const rotated = createJobSigner(JSON.stringify(nextKey));
    expect(await verifyJob(host(), await rotated(job, NOW), payload, NOW)).not.toBeNull();
    const unknown = createJobSigner(JSON.stringify(makeKey()));
    expect(await verifyJob(host(), await unknown(job, NOW), payload, NOW)).toBeNull();
  });

  it("brings the seeds of its week and of the week before, which follow from the edge's key", async () => {
    const [keyed, other] = [sign, createJobSigner(JSON.stringify(nextKey))];
    const seedsOf = async (signer: typeof sign, at: number) =>
      (await verifyJob(host(), await signer(job, at), payload, at))?.week.seeds ?? [];
    const [first, before] = await seedsOf(keyed, NOW);
    expect(await seedsOf(createJobSigner(JSON.stringify(edgeKey)), NOW + 60_000)).toEqual([first, before]);
    const [next, last] = await seedsOf(keyed, NOW + WEEK_S * 1_000);
    expect(last).toBe(first);
    expect(new Set([next, first, before, ...(await seedsOf(other, NOW))]).size).toBe(5);
  });

  it.each([
    ['another host', { host: 'probe-2' }],
    ['another process of the same host', { instance: 'another-instance-id' }],
  ])('is refused by %s', async (_name, changes) => {
    expect(await verifyJob(host(changes), await sign(job, NOW), payload, NOW)).toBeNull();
  });

  it.each([
    ['a minute too late', NOW + 61_000],
    ['a minute too early', NOW - 61_000],
  ])('is refused %s', async (_name, now) => {
    expect(await verifyJob(host(), await sign(job, NOW), payload, now)).toBeNull();
  });

  it('is refused with another payload', async () => {
    const other = payload.replace('a.test', 'b.test');
    expect(await verifyJob(host(), await sign(job, NOW), other, NOW)).toBeNull();
  });

  it.each(['', '{}', '{"addresses":[]}', '{"addresses":[["x"]]}', 'no JSON'])(
    'is refused with the payload %j, though it was signed',
    async (text) => {
      const token = await sign({ ...job, payload: text }, NOW);
      expect(await verifyJob(host(), token, text, NOW)).toBeNull();
    },
  );

  it.each<[string, () => Promise<string> | string]>([
    ['claims of another form', () => forge({ job: 'no attempt' })],
    ['more time than any batch has', () => forge({ remainingMs: 600_001 })],
    ['another type', () => forge({}, HOST_TOKEN_TYPE)],
    ['the signature of the host itself', () => forge({}, JOB_TOKEN_TYPE, hostKey)],
    ["a host's token instead", () => makeHostToken(host(), NOW)],
    ['a changed signature', async () => `${(await sign(job, NOW)).slice(0, -8)}AAAAAAAA`],
    ['nothing', () => ''],
  ])('is refused with %s', async (_name, make) => {
    expect(await verifyJob(host(), await make(), payload, NOW)).toBeNull();
  });
});

describe('createJobSigner', () => {
  it.each(['', '{}', '[]', JSON.stringify(publicHalf(edgeKey))])('throws for the secret %j', (secret) => {
    expect(() => createJobSigner(secret)).toThrow(/^EDGE_SIGNING_KEY/);
  });
});
