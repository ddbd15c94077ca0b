import type { Evidence } from '../../schema/evidence.ts';
import type { Ports } from './ports.ts';
import type { EngineSettings } from './settings.ts';

/** A parsed address: local part and domain as they go on the wire. */
export type Recipient = { readonly local: string; readonly domain: string };

/** What an address tells by itself; the engine passes it through so that evidence is whole. */
export type SignalsOf = (recipient: Recipient) => Evidence['signals'];

export type Batch = {
  readonly recipients: readonly Recipient[];
  /** Fires at the batch's deadline or when the caller is gone: work stops and sockets are freed. */
  readonly signal: AbortSignal;
  /** When the batch must be answered, in the clock's milliseconds. */
  readonly deadlineMs: number;
  /** Called once per recipient, as soon as its evidence is known; recipients not reached get `unprobed`. */
  readonly report: (index: number, evidence: Evidence) => void;
};

export type Engine = {
  probe(batch: Batch): Promise<void>;
  /** How many providers cool down now. */
  cooling?(): number;
};

/** An engine holds what outlives a batch: the pace per provider. */
export type CreateEngine = (ports: Ports, settings: EngineSettings, signalsOf: SignalsOf) => Engine;

/** Placeholder until the engine is here: knows nothing of anyone. */
export const createEngine: CreateEngine = (_ports, _settings, signalsOf) => ({
  probe({ recipients, report }) {
    for (const [index, recipient] of recipients.entries()) {
      const outcome = { kind: 'unprobed', why: 'host', waitS: null } as const;
      report(index, { mx: [], mxFound: false, signals: signalsOf(recipient), outcome });
    }
    return Promise.resolve();
  },
});
