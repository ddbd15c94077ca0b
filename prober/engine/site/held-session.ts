import type { Permit } from '../limits/permit.ts';
import type { Session } from '../smtp/session.ts';
import type { SessionBudget } from './session-budget.ts';
import type { SessionWatch } from './session-watch.ts';

/** Recipients that must be left for another domain: its own mailbox and the made-up one. */
const RECIPIENTS_MIN = 2;

export type Held = {
  readonly kind: 'open';
  readonly session: Session;
  readonly permit: Permit;
  readonly watch: SessionWatch | null;
};

/**
 * What happens to a released session. `hand_on`: it is open and may serve another domain. `quit`: QUIT is sent, and
 * nothing more is read. `destroy`: its socket is freed. `over`: it has been closed already.
 */
export type Fate = 'hand_on' | 'quit' | 'destroy' | 'over';

/** Its server may be asked now, and there is room for another domain. */
export function isUsable({ session, permit }: Held, budget: SessionBudget): boolean {
  const { asked, wire } = session;
  return (
    !wire.isOver &&
    budget.refusalsMax > asked.refusals &&
    budget.recipientsMax - asked.recipients >= RECIPIENTS_MIN &&
    !permit.isCooling() &&
    permit.unknown.waitS(permit.account) === 0
  );
}
