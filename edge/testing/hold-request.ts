import type { HoldRequest } from '../ledger/hold.ts';

/** A batch of its own that holds these credits, one for each address, without any limit. */
export function holdRequest(keyHash: string, credits: number, other: Partial<HoldRequest> = {}): HoldRequest {
  return {
    batchId: crypto.randomUUID(),
    keyHash,
    markUsed: false,
    credits,
    addresses: credits,
    maxInFlight: 0,
    lastsMs: 600_000,
    ...other,
  };
}
