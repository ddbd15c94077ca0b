import type { DomainProbe } from './domain-probe.ts';
import { countingUnknown } from '../meaning/templates.ts';
import type { RecipientAllowance, SessionResult, ConnectionPermit } from '../limits/connection-request.ts';
import { openEarly, openSession, type Session } from '../session/session.ts';
import { watchSession } from '../session/session-watch.ts';
import { type Failed, failed, type Setback } from '../session/setback.ts';
import { isOfCrowd } from './trust.ts';
import type { Target } from '../targets/targets.ts';
import type { Tracer } from '../wire/wire.ts';

export type OpenedAtPace =
  | { readonly kind: 'open'; readonly session: Session; readonly place: ConnectionPermit }
  /** It may be because of our others there, so many as the server bears, that nothing came of it: it is evidence of nothing. */
  | { readonly kind: 'crowded'; readonly setback: Setback; readonly bears: number }
  | Failed;

/**
 * Opens a session once the pace allows it, from the egress address that is least used there. A server that has let in
 * others, and says that these are as many as may be, is not left alone for that: no more are opened beside them.
 * @param mayTalkEarly a server that offered it is not waited for with the first commands
 */
export async function openAtPace(
  probe: DomainProbe,
  target: Target,
  implicit: boolean,
  mayTalkEarly: boolean,
): Promise<OpenedAtPace> {
  const { pace, ports, settings, classify, unknown, earlyTalkers } = probe.tools;
  const { signal, deadlineMs } = probe;
  const { host, ip, family, isOwn } = target;
  const { account, domain, restsUntil } = probe;
  const watch = watchSession(settings, ports.clock, host);
  const entered = pace.acquire({ account, domain, host, ip, family, isOwn, deadlineMs, signal, restsUntil });
  const entry = entered instanceof Promise ? await (watch?.waits(entered) ?? entered) : entered;
  switch (entry.kind) {
    case 'ended':
      return failed('pace', 'ended', null);
    case 'no_egress':
      return failed('pace', 'no_route', null);
    case 'cooling':
      return cooling(entry.waitS);
    case 'go':
  }
  const { egress, release } = entry;
  watch?.begins(egress);
  const reading = countingUnknown(classify, unknown, ip);
  probe.askedFrom = egress.ip;
  let leaving: SessionResult = 'neutral';
  try {
    const opening = {
      dial: ports.dial,
      clock: ports.clock,
      timeouts: settings.timeouts,
      target,
      from: egress.ip,
      heloName: egress.heloName,
      implicit,
      signal,
      classify: watch?.reading(reading) ?? reading,
      onReply: watch?.onReply ?? null,
      trace: tracer(probe, target),
    };
    const known = mayTalkEarly ? earlyTalkers.recall(egress.ip, target) : null;
    const opened = await (known === null ? openSession(opening) : openEarly(opening, known));
    if (opened.kind === 'open' && known === null) earlyTalkers.note(egress.ip, target, opened.session);
    if (opened.kind === 'open') {
      if (!opened.session.unopened) entry.accepted();
      return { ...opened, place: watch?.opened(entry) ?? entry };
    }
    const { setback } = opened;
    watch?.failed(setback);
    const { complaint } = setback;
    const isAboutOther = complaint !== null && complaint.isAboutConcurrency !== true;
    const bears = isOfCrowd(opened) ? await entry.rejected(isAboutOther || setback.cause === 'timeout') : null;
    if (complaint !== null && (bears === null || isAboutOther)) leaving = complaint;
    release(leaving);
    return bears === null ? opened : { kind: 'crowded', setback, bears };
  } catch (error) {
    release(leaving);
    throw error;
  }
}

/** Too many were asked about here in this hour whom the server does not know. */
export function putOff(allowance: RecipientAllowance): Failed {
  return cooling(allowance.putOff());
}

function cooling(waitS: number): Failed {
  return failed('pace', 'refused', { kind: 'unprobed', why: 'cooldown', waitS });
}

function tracer(probe: DomainProbe, target: Target): Tracer | null {
  const { trace } = probe.tools.settings;
  if (trace === undefined) return null;
  const session = probe.tools.nextSession();
  const { clock } = probe.tools.ports;
  const { host, ip } = target;
  return (direction, line) => trace({ atMs: clock.now(), session, host, ip, direction, line });
}
