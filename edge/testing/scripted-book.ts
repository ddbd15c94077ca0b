import type { BatchIndex } from '../base/indexes.ts';
import { BatchBook } from '../fleet/batch/batch-book.ts';
import type { Job } from '../fleet/batch/job.ts';
import { LIMITS } from '../fleet/batch/limits.ts';
import type { HostTrust } from '../fleet/trust/host-records.ts';
import type { HostRef, Member } from '../fleet/trust/roster.ts';
import { job } from './batch-play.ts';
import { ScriptedTrust } from './scripted-trust.ts';

/** The book of a batch with one address at each of these domains. All hosts draw the same, so that the first is taken. */
export class ScriptedBook extends BatchBook {
  constructor(domains: readonly string[], hosts: HostTrust = new ScriptedTrust(), limits = LIMITS, account = '') {
    const addresses = domains.map((domain) => ['x', domain] as const);
    super(job({ batchId: 'batch', addresses, account }), limits, hosts, () => 0.5);
  }

  override assign(to: HostRef, indexes: readonly BatchIndex[], members: readonly Member[] = []): Job {
    return super.assign(to, indexes, members);
  }
}
