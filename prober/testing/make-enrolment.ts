import type { Enrolment } from '../../schema/enrolment.ts';
import { publicHalf } from '../../schema/jwk.ts';
import { makeKey } from '../../schema/testing/make-key.ts';

/** An enrolment of one shard with its own keys. */
export function makeEnrolment(host: string, origin: string): Enrolment {
  return { v: 1, host, origin, shards: 1, privateKey: makeKey(), edgeKeys: [publicHalf(makeKey())] };
}
