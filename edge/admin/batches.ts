import { RequestError } from '../../schema/errors.ts';
import { within } from '../base/within.ts';
import { type Done, done, type Services } from './operation.ts';

const FLEET_ANSWERS_WITHIN_MS = 5_000;

/** How one batch went. Every Fleet object is asked: which of them had it depends on how many there were. */
export async function showBatch({ fleet }: Services, params: { readonly batch: string }): Promise<Done> {
  const asked = await Promise.allSettled(
    fleet.map((shard) => within(FLEET_ANSWERS_WITHIN_MS, shard.batch(params.batch))),
  );
  for (const one of asked) if (one.status === 'fulfilled' && one.value !== null) return done(one.value);
  const deaf = asked.filter(({ status }) => status === 'rejected').length;
  if (deaf > 0)
    throw new RequestError('UNAVAILABLE', `${deaf} of ${fleet.length} Fleet objects do not answer: ask again.`);
  throw new RequestError(
    'NOT_FOUND',
    'No such batch among the last 500 of each Fleet object: it was refused before it got there, or is older. The log has its id as requestId.',
  );
}
