import { type OptOut, OPT_OUTS_MAX } from '../../schema/admin.ts';
import { RequestError } from '../../schema/errors.ts';
import { keyedHash } from '../base/keyed-hash.ts';
import { add, listAll, type Listed, remove } from '../opt-out/listed.ts';
import { timeText } from '../base/time-text.ts';
import { type Done, done, type Services } from './operation.ts';

type Wanted = { readonly domain: string };

/** Every domain that opted out, by its hash. */
export async function listOptOuts({ db }: Services): Promise<Done> {
  return done({ optOuts: (await listAll(db)).map(entryOf) });
}

/** Within a minute, no address in this domain or below it is probed any more. */
export async function addOptOut(services: Services, _params: object, { domain }: Wanted): Promise<Done> {
  const added = await add(services.db, await keyedHash(domain, secretOf(services)));
  if (added === null)
    throw new RequestError('CONFLICT', `The list is full: it has ${OPT_OUTS_MAX} domains, which is the maximum.`);
  return done(entryOf(added), added.isNew ? 201 : 200);
}

export async function removeOptOut(services: Services, _params: object, { domain }: Wanted): Promise<Done> {
  const hash = await keyedHash(domain, secretOf(services));
  if (!(await remove(services.db, hash)))
    throw new RequestError('NOT_FOUND', 'This domain is not on the list; a parent domain may be.');
  return done({ hash, removed: true });
}

function secretOf({ config }: Services): string {
  if (config.OPT_OUT_SECRET === '')
    throw new RequestError('CONFLICT', 'No domain can opt out yet: set the secret OPT_OUT_SECRET (edge/README.md).');
  return config.OPT_OUT_SECRET;
}

function entryOf({ hash, createdAt }: Listed): OptOut {
  return { hash, createdAt: timeText(createdAt) };
}
