import * as z from 'zod';
import { type Evidence, evidenceSchema } from '../../schema/evidence.ts';
import recorded from './evidence.json' with { type: 'json' };

// The answers for test keys: evidence that the engine saw in the sandbox of `npm start`, recorded by
// `scripts/sandbox/record.ts`. By address, and as `*@domain` for all others at a domain of the sandbox.

/** A domain outside the sandbox: its MX is not looked up, and no guess is made. */
const ELSEWHERE: Evidence = {
  mx: [],
  mxFound: false,
  signals: { disposable: false, free: false, role: false, typoOf: null },
  outcome: { kind: 'mx_lookup_failed' },
};

let evidence: ReadonlyMap<string, Evidence> | null = null;

/** What a probe of the sandbox would find out about an address. Nothing is probed. */
export function sandboxEvidence(local: string, domain: string): Evidence {
  evidence ??= new Map(Object.entries(z.record(z.string(), evidenceSchema).parse(recorded)));
  return evidence.get(`${local}@${domain}`) ?? evidence.get(`*@${domain}`) ?? ELSEWHERE;
}
