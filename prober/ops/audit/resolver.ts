import type { Resolve } from '../../engine/ports/ports.ts';
import { type Finding, mend, NO_ANSWER, ok, unknown } from './findings.ts';

/** Signed, with a signature that is wrong on purpose, and kept like that for tests such as this. */
const BOGUS = 'dnssec-failed.org';
const SOUND = 'iana.org';

/** Whether the resolver answers, and checks signatures (DNSSEC, RFC 4035 §5): then it hides a forged name. */
export async function checkResolver(resolve: Pick<Resolve, 'addresses'>, signal: AbortSignal): Promise<Finding> {
  const [bogus, sound] = await Promise.all([resolve.addresses(BOGUS, signal), resolve.addresses(SOUND, signal)]);
  if (sound.addresses.length === 0)
    return unknown('resolver', SOUND, sound.certain ? 'has no address, says the resolver; name another' : NO_ANSWER);
  if (bogus.addresses.length === 0 && !bogus.certain)
    return ok('resolver', BOGUS, 'is refused, as it should be: signatures are checked');
  return mend(
    'resolver',
    BOGUS,
    'is answered although its signature is wrong: let a validating resolver on this machine ask (prober/README.md)',
  );
}
