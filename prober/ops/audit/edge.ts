import { type Connect, dialIn } from '../../link/connect.ts';
import { type Identity, makeHostToken } from '../../link/identity.ts';
import { aheadOf, type Ending, explainEnding } from '../../link/why-lost.ts';
import { type Finding, mend, ok, unknown } from './findings.ts';

const ANSWERS_WITHIN_MS = 10_000;
/** A token is valid for 60 s: half of that is left for its transport. */
const CLOCK_OFF_S = 30;

/** Whether the edge lets this host in, and how far this machine's clock is off: opens and closes one link. */
export async function checkEdge(
  identity: Identity,
  connect: Connect,
  wallClock: () => number,
  dateOf: (url: string) => Promise<string | null>,
): Promise<Finding[]> {
  const { host, origin } = identity;
  const [ending, aheadS] = await Promise.all([
    knockAt(identity, connect, wallClock),
    dateOf(`${origin}/health`).then((date) => aheadOf(date ?? undefined, wallClock())),
  ]);
  return [describeKnock(host, origin, ending), describeClock(origin, aheadS)];
}

function describeKnock(host: string, origin: string, ending: Ending | null): Finding {
  if (ending === null) return ok('link', host, `connects to ${origin}`);
  const { status, cause } = ending;
  const { hint } = explainEnding(ending);
  const how = status > 0 ? `HTTP ${status}` : (cause ?? `close code ${ending.code}`);
  return mend('link', host, `cannot connect to ${origin} (${how}): ${hint ?? 'try again in a minute'}`);
}

function describeClock(origin: string, aheadS: number | null): Finding {
  if (aheadS === null) return unknown('clock', origin, 'sent no time; see the line for the link');
  if (Math.abs(aheadS) < CLOCK_OFF_S)
    return ok('clock', origin, `its time differs from ours by ${Math.abs(aheadS)} s at most`);
  const way = aheadS > 0 ? 'ahead' : 'behind';
  return mend('clock', origin, `our clock is ${Math.abs(aheadS)} s ${way}; run timedatectl set-ntp true`);
}

/** @returns null if it is let in */
async function knockAt(identity: Identity, connect: Connect, wallClock: () => number): Promise<Ending | null> {
  const { origin } = identity;
  const token = await makeHostToken(identity, wallClock());
  return new Promise((resolve) => {
    dialIn(
      { origin, shard: 0, token },
      { connect, handshakeMs: ANSWERS_WITHIN_MS, wallClock },
      {
        opened: (socket) => {
          resolve(null);
          socket.close(1000);
        },
        clockAhead: () => {},
        closed: resolve,
      },
    );
  });
}

/** The Date header of an answer, null if there is none or no answer. */
export async function askDate(url: string): Promise<string | null> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    await answer.body?.cancel();
    return answer.headers.get('date');
  } catch {
    return null;
  }
}
