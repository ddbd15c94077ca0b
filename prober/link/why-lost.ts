import { CLOSE } from '../../schema/link.ts';

// Why a link is gone, in words that help an operator fix it: pure.

/** What is known about a connection that ended, or never opened. */
export type Ending = {
  /** The WebSocket close code (RFC 6455 §7.4); 1006 if the connection broke. */
  readonly code: number;
  /** The HTTP status that the upgrade was refused with; 0 if it was not answered. */
  readonly status: number;
  /** The system's name of the obstacle, such as ECONNREFUSED; null if it gave none. */
  readonly cause: string | null;
  /** How many seconds this machine's clock is ahead of the edge's; null if the edge did not say its time. */
  readonly aheadS: number | null;
};

/** `refused`: the edge answered, and an early retry cannot help. */
export type Explained = { readonly refused: boolean; readonly hint: string | null };

/** Half of the time for which a token is valid: the other half is left for its transport. */
export const CLOCK_OFF_S = 30;

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there: check the origin of the enrolment, and that the edge runs',
  ENOTFOUND: 'the resolver knows no such name: check the origin of the enrolment',
  EAI_AGAIN: 'the resolver does not answer: check /etc/resolv.conf',
  ENETUNREACH: 'this machine has no route there: check its network',
  EHOSTUNREACH: 'this machine has no route there: check its network',
  ETIMEDOUT: 'no answer: a firewall may drop port 443 outwards',
  ECONNRESET: 'the connection was reset: a firewall or proxy may be in between',
  CERT_HAS_EXPIRED: 'the certificate of the edge has expired, or the clock of this machine is wrong',
  CERT_NOT_YET_VALID: 'the clock of this machine is wrong: timedatectl set-ntp true',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'something between here and the edge ends TLS with a certificate of its own',
  SELF_SIGNED_CERT_IN_CHAIN: 'something between here and the edge ends TLS with a certificate of its own',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'something between here and the edge ends TLS with a certificate of its own',
};

/** @returns what to do, null if a reconnect is all that can be done */
export function explainEnding({ code, status, cause, aheadS }: Ending): Explained {
  switch (code) {
    case CLOSE.crowded:
      return refused('more than four links of this enrolment: enrol each host on its own');
    case CLOSE.removed:
      return refused('this host was removed: invite it again with `admin host invite`, and join');
    case CLOSE.hello:
      return { refused: false, hint: 'the edge does not understand this host: roll it to the version of the edge' };
    default:
  }
  switch (status) {
    case 401:
      return refused(
        clockHint(aheadS) ?? 'the edge does not know this host, its key or its clock: `admin host list` says why',
      );
    case 404:
      return refused('the edge has no such link: check the origin of the enrolment');
    case 426:
      return refused('something between here and the edge takes the WebSocket upgrade away');
    default:
      return { refused: false, hint: (cause === null ? undefined : CAUSES[cause]) ?? null };
  }
}

function refused(hint: string): Explained {
  return { refused: true, hint };
}

function clockHint(aheadS: number | null): string | null {
  if (aheadS === null || Math.abs(aheadS) < CLOCK_OFF_S) return null;
  const [by, way] = [Math.abs(aheadS), aheadS > 0 ? 'ahead of' : 'behind'];
  return `the clock of this machine is ${by} s ${way} the edge's: timedatectl set-ntp true`;
}

/** How many seconds our clock is ahead of the Date header of an answer; null if it has none. */
export function aheadOf(date: string | undefined, nowMs: number): number | null {
  const theirs = Date.parse(date ?? '');
  return Number.isNaN(theirs) ? null : Math.round((nowMs - theirs) / 1000);
}

/** The code of a system or TLS error, if it is one; nothing else of it, since its message contains addresses. */
export function causeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? code : null;
}
