// Duties of the cron that look at the accounts in id order, a bounded number per run: where the next run goes on.

export type Duty = 'audit' | 'notices';

/** SQL: the id after which this run begins. */
export const beginsAfter = (duty: Duty): string => `coalesce((SELECT after FROM turns WHERE duty = '${duty}'), '')`;

/** The statement that lets the next run begin after an account; '' begins with the first. */
export function endTurn(db: D1Database, duty: Duty, after: string): D1PreparedStatement {
  return db
    .prepare('INSERT INTO turns (duty, after) VALUES (?1, ?2) ON CONFLICT (duty) DO UPDATE SET after = excluded.after')
    .bind(duty, after);
}
