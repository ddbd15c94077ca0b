import * as z from 'zod';
import { grant } from '../../../edge/ledger/grant.ts';
import { hold } from '../../../edge/ledger/hold.ts';
import { sweep } from '../../../edge/ledger/sweep.ts';
import { settleLater, settleNow } from '../../../edge/verify/settle.ts';
import type { Seeded } from '../seeded.ts';
import { SimDatabase } from './sim-database.ts';
import type { SimTime } from './sim-time.ts';

// The books of a run: the ledger's own functions and SQL, on a database that loses answers.

const ACCOUNTS = ['acme', 'bolt', 'coda'] as const;
const CREDITS = 10_000;
const SWEEP_EVERY_MS = 10_000;
/** How long after the deadline a settlement may come. */
const GRACE_MS = 20_000;

const sumsSchema = z.array(z.object({ id: z.string(), balance: z.int(), sum: z.int() }));
const holdsSchema = z.array(
  z.object({ id: z.string(), credits: z.int(), closed: z.string().nullable(), returned: z.int().nullable() }),
);
/** What the ledger's functions call a database: they ask no more of it than this one has. */
const databaseSchema = z.custom<Parameters<typeof hold>[0]>((value) => value instanceof SimDatabase);

export type Books = {
  /** Credits that a batch cost in the end; null while its hold is open, and of a batch that never held any. */
  readonly costOf: (batchId: string) => number | null;
  /** What must never be. */
  readonly faults: readonly string[];
};

export class Bank {
  readonly #time: SimTime;
  readonly #database: SimDatabase;
  readonly #db: z.infer<typeof databaseSchema>;
  readonly #home: Parameters<typeof settleNow>[0];

  constructor(time: SimTime, random: Seeded) {
    this.#time = time;
    this.#database = new SimDatabase(time, random);
    this.#db = databaseSchema.parse(this.#database);
    this.#home = { db: this.#db, all: [this.#db] };
  }

  /** Opens the accounts, and sweeps from now on. */
  async open(): Promise<void> {
    const make = (sql: string, ...values: readonly (string | number)[]): void =>
      void this.#database.look([this.#database.prepare(sql).bind(...values)]);
    for (const id of ACCOUNTS) {
      make('INSERT INTO accounts (id, name, created_at) VALUES (?1, ?1, 0)', id);
      make("INSERT INTO api_keys (hash, id, account_id, label, hint, created_at) VALUES (?1, ?1, ?1, '', '', 0)", id);
      const nowMs = this.#time.wallClock();
      await grant(this.#db, { accountId: id, purchaseId: 'first', credits: CREDITS, nowMs }).catch(() => undefined);
    }
    this.#sweep();
  }

  /** As the Worker takes a batch's credits. @returns whose they are; null if the call fails for want of an answer */
  async hold(batchId: string, credits: number, deadlineMs: number): Promise<string | null> {
    const keyHash = ACCOUNTS[batchId.charCodeAt(batchId.length - 1) % ACCOUNTS.length] ?? ACCOUNTS[0];
    const lastsMs = deadlineMs + GRACE_MS;
    const asked = { batchId, keyHash, markUsed: false, credits, addresses: credits, maxInFlight: 0, lastsMs };
    try {
      const answer = await hold(this.#db, asked);
      return answer.kind === 'held' ? answer.accountId : null;
    } catch {
      await settleNow(this.#home, { batchId, back: credits });
      return null;
    }
  }

  /** The answer was handed over, or the caller had gone: `back` of the credits return. */
  settle(batchId: string, accountId: string, back: number): Promise<void> {
    return settleLater(this.#home, { batchId, accountId, back });
  }

  /** The call failed before its answer. */
  giveAllBack(batchId: string, credits: number): Promise<void> {
    return settleNow(this.#home, { batchId, back: credits });
  }

  /** Reads everything, once nothing is under way any more, and lets go of the database. */
  audit(): Books {
    const [sums, holds] = this.#database.look(
      [
        `SELECT a.id, a.balance, (SELECT coalesce(sum(l.delta), 0) FROM ledger l WHERE l.account_id = a.id) AS sum
           FROM accounts a`,
        'SELECT id, credits, closed_by AS closed, returned FROM holds',
      ].map((sql) => this.#database.prepare(sql)),
    );
    this.#database.close();
    const rows = holdsSchema.parse(holds?.results);
    const batches = new Map(rows.map((row) => [row.id, row]));
    return {
      costOf: (batchId) => {
        const { credits, returned } = batches.get(batchId) ?? { credits: 0, returned: null };
        return returned === null ? null : credits - returned;
      },
      faults: [
        ...sumsSchema
          .parse(sums?.results)
          .filter(({ balance, sum }) => balance !== sum)
          .map(({ id, balance, sum }) => `the rows of ${id} add up to ${sum}, and its balance is ${balance}`),
        ...rows.filter(({ closed }) => closed === null).map(({ id }) => `${id} is neither settled nor swept`),
      ],
    };
  }

  #sweep(): void {
    this.#time.after(SWEEP_EVERY_MS, () => {
      this.#sweep();
      // What breaks off is done by the next.
      sweep(this.#db).catch(() => undefined);
    });
  }
}
