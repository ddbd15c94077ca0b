import type { BatchReport } from '../../../schema/batch-report.ts';
import type { Offer } from '../trust/comparisons.ts';
import type { FleetServices } from '../trust/services.ts';
import type { BatchOutcome } from './batch-outcome.ts';
import type { FleetLimits } from './limits.ts';

/** What the batches of one Fleet object work with: made once, with the object. */
export type BatchServices = FleetServices & {
  readonly limits: () => FleetLimits;
  /** Called with final evidence: some addresses are put to another host too, apart from the batch. */
  readonly compare?: (offer: Offer) => void;
  /** Called once with how a batch came out, unless its caller has gone. */
  readonly ended?: (outcome: BatchOutcome) => void;
  /** Called once with how it went, whoever it was for. */
  readonly noted?: (report: BatchReport) => void;
};
