import type { Outcome } from '../../../schema/evidence.ts';
import type { Finding, Second } from '../meaning/controls.ts';
import type { ReadReply, RelayDenied } from '../meaning/outcome.ts';
import type { Complaint } from '../limits/server/complaint.ts';
import type { StreakId } from '../limits/server/refusal-streak.ts';
import type { SessionResult } from '../limits/connection-request.ts';
import type { RecipientProbe } from '../recipients/recipient-probe.ts';
import type { MadeUpPlan } from '../session/next-command.ts';
import type { Failed, SessionFailure } from '../session/session-failure.ts';
import type { TransactionEnd, TransactionResult } from '../session/transaction-result.ts';
import type { Crowded } from '../pool/open-session.ts';
import type { Fate } from '../pool/held-session.ts';
import type { Wanted } from '../pool/host-sessions.ts';
import type { Blame, Way } from './consequence.ts';
import type { VisitRecord, Onward } from './visit-record.ts';

// What a visit at one address of an MX host goes by: where it stands, what happened, what to do next, and what is to be
// remembered before. `next-step.ts` says which follows from which.

/** The session under way. */
export type Current = {
  /** It was opened for the made-up mailbox and no recipient. */
  readonly alone: boolean;
  /** Domains that it served before. */
  readonly turn: number;
  /** Its greeting is not waited for. */
  readonly early: boolean;
  /** The streak of refusals at the address when the session was acquired. */
  readonly streak: StreakId;
  /** A mailbox was judged in it. */
  readonly served: boolean;
};

export type Phase =
  /** No session is held. `way`: where to ask next, after the last one. */
  | { readonly at: 'free'; readonly way: Way }
  | { readonly at: 'opening'; readonly alone: boolean }
  /** `demanded`: by the server; otherwise STARTTLS is our own choice. */
  | { readonly at: 'securing'; readonly current: Current; readonly demanded: boolean }
  | { readonly at: 'asking'; readonly current: Current; readonly recipients: readonly RecipientProbe[] }
  | {
      readonly at: 'testing';
      readonly current: Current;
      readonly recipients: readonly RecipientProbe[];
      readonly second: Second<RecipientProbe>;
      /** What was heard before the test. */
      readonly heard: Of<'heard'>;
    }
  | { readonly at: 'left' };

export type VisitState = { readonly record: VisitRecord; readonly phase: Phase };

/** Whether sessions in parallel to the visit's own are under way. `dismissed`: they are, and no more are wanted. */
export type Parallel = 'none' | 'at_work' | 'dismissed';

/** What a session could be asked now. */
export type Ready = {
  /** Those it was acquired for that were not asked about meanwhile: all with SMTPUTF8, or all without. */
  readonly recipients: readonly RecipientProbe[];
  readonly offersSmtpUtf8: boolean;
  /** It has greeted: what it offers is not what it offered before. */
  readonly greeted: boolean;
  readonly madeUp: MadeUpPlan;
  /** Its session budget is one refusal, which takes long. */
  readonly slow: boolean;
};

/** What happened. */
export type VisitEvent =
  | {
      readonly kind: 'free';
      /** The batch has ended. */
      readonly ended: boolean;
      /** An answer can still be had before it does. */
      readonly hasTime: boolean;
      /** Recipients for the next session. */
      readonly recipients: readonly RecipientProbe[];
      /** The catch-all check: it is to be made, its first result is in doubt, a session is at it. */
      readonly madeUp: { readonly owed: boolean; readonly doubted: boolean; readonly underWay: boolean };
      readonly parallel: Parallel;
    }
  | { readonly kind: 'not_opened'; readonly failure: Failed | Crowded; readonly parallel: Parallel }
  | {
      readonly kind: 'opened';
      readonly turn: number;
      readonly early: boolean;
      readonly streak: StreakId;
      /** Too many unknown recipients were named here in this hour. */
      readonly refusedByLimits: Failed | null;
      readonly offersStartTls: boolean;
      readonly ready: Ready;
    }
  /** STARTTLS was tried. `blocked`: without success, and the session is over. */
  | {
      readonly kind: 'secured';
      readonly blocked: Failed | null;
      readonly complaint: Complaint | null;
      readonly ready: Ready;
    }
  | {
      readonly kind: 'heard';
      readonly result: TransactionResult;
      readonly greeted: boolean;
      /** The first thing that the server complained of in this session to this domain. */
      readonly complaint: Complaint | null;
      /** It complained for now, and that may be because of our crowd. */
      readonly isOfOurs: boolean;
      /** The server makes clients wait for refusals. */
      readonly tarpit: boolean;
      /** The last replies refuse us alike: the next recipient would be refused too. */
      readonly refused: boolean;
      /** A refusal that was doubted came again in another session, and the first has served another domain since. */
      readonly confirmed: boolean;
      readonly parallel: Parallel;
    }
  | { readonly kind: 'tested'; readonly result: TransactionResult; readonly complaint: Complaint | null };

type Demand = Extract<TransactionEnd, { kind: 'tls_demanded' }>;

/** What to do next. */
export type Step =
  | {
      readonly kind: 'acquire';
      readonly recipients: readonly RecipientProbe[];
      readonly use: Wanted['use'];
      readonly forMadeUp: boolean;
      /** A server that offered PIPECONNECT may be talked to before it greets. */
      readonly early: boolean;
    }
  | { readonly kind: 'secure'; readonly demand: Demand | null }
  | {
      readonly kind: 'ask';
      readonly recipients: readonly RecipientProbe[];
      readonly madeUp: MadeUpPlan;
      /** Parallel sessions may help. */
      readonly mayHelp: boolean;
      /** Replies that nothing explains may be put to the test: the session has served nobody else. */
      readonly mayTest: boolean;
    }
  | { readonly kind: 'test'; readonly second: Second<RecipientProbe> }
  /** `since`: the streak of refusals from which on a complaint counts. `own`: what parallel sessions are told of it. */
  | {
      readonly kind: 'release';
      readonly fate: Fate;
      readonly sessionResult: SessionResult;
      readonly since: StreakId;
      readonly own: 'served' | 'failed';
    }
  /** There was no session. `pauses`: how long to wait, 0 for not at all. */
  | { readonly kind: 'retry'; readonly pauses: number; readonly own: 'served' | 'failed' }
  | { readonly kind: 'wait_for_parallel' }
  | { readonly kind: 'leave'; readonly onward: Onward };

/** What is to be remembered before the step is taken. */
export type Note =
  | ({ readonly kind: 'replies' } & Pick<TransactionResult, 'answers' | 'madeUp'>)
  /** What a test has shown. */
  | { readonly kind: 'tested'; readonly finding: Finding }
  | { readonly kind: 'evidence'; readonly evidence: Outcome | RelayDenied; readonly blame: Blame }
  | { readonly kind: 'no_session'; readonly failure: SessionFailure }
  | { readonly kind: 'smtp_utf8'; readonly offered: boolean }
  /** They are not asked about here again. */
  | { readonly kind: 'cannot_be_named'; readonly recipients: readonly RecipientProbe[] }
  | { readonly kind: 'leave_rest' }
  /** A session that had served this many domains failed this one because of them. */
  | { readonly kind: 'shared_too_long'; readonly turns: number }
  /** PIPECONNECT: the server did as it had offered, or did not. */
  | { readonly kind: 'pipeconnect'; readonly kept: boolean }
  /** What the last replies said of us may have been meant for others. */
  | { readonly kind: 'client_refusals'; readonly how: 'starts_over' | 'is_doubted' }
  /** What a session said that served others before is asked again elsewhere. */
  | { readonly kind: 'doubt'; readonly answers: readonly ReadReply[] }
  | { readonly kind: 'dismiss_parallel' };

export type Next = { readonly state: VisitState; readonly notes: readonly Note[]; readonly step: Step };

export type Of<K extends VisitEvent['kind']> = Extract<VisitEvent, { kind: K }>;
