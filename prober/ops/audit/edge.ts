import { type Connect, dialIn } from '../../link/connect.ts';
import { type Identity, makeHostToken } from '../../link/identity.ts';
import { CLOCK_OFF_S, type Ending, explainEnding } from '../../link/why-lost.ts';
import { type Finding, mend, ok, unknown } from './findings.ts';

const ANSWERS_WITHIN_MS = 10_000;

/** Whether the edge lets this host in, and how far this machine's clock is off: opens and closes one link. */
export async function checkEdge(
  identity: Identity,
  connect: Connect,
  wallClock: () => number,
): Promise<readonly Finding[]> {
  const { host, origin } = identity;
  const { ending, aheadS } = await knockAt(identity, connect, wallClock);
  return [describeKnock(host, origin, ending), describeClock(origin, ending === null, aheadS)];
}

function describeKnock(host: string, origin: string, ending: Ending | null): Finding {
  if (ending === null) return ok('link', host, `connects to ${origin}`);
  const { status, cause } = ending;
  const { hint } = explainEnding(ending);
  const how = status > 0 ? `HTTP ${status}` : (cause ?? `close code ${ending.code}`);
  return mend('link', host, `cannot connect to ${origin} (${how}): ${hint ?? 'try again in a minute'}`);
}

function describeClock(origin: string, isLetIn: boolean, aheadS: number | null): Finding {
  if (aheadS === null)
    return isLetIn
      ? ok('clock', origin, 'it accepted a token of this minute')
      : unknown('clock', origin, 'sent no time; see the line for the link');
  if (Math.abs(aheadS) < CLOCK_OFF_S)
    return ok('clock', origin, `its time differs from ours by ${Math.abs(aheadS)} s at most`);
  const way = aheadS > 0 ? 'ahead' : 'behind';
  return mend('clock', origin, `our clock is ${Math.abs(aheadS)} s ${way}; run timedatectl set-ntp true`);
}

type Knock = { readonly ending: Ending | null; readonly aheadS: number | null };

/** @returns no ending if it is let in */
async function knockAt(identity: Identity, connect: Connect, wallClock: () => number): Promise<Knock> {
  const token = await makeHostToken(identity, wallClock());
  const from = { origin: identity.origin, shard: 0, token };
  let aheadS: number | null = null;
  return new Promise((resolve) => {
    dialIn(
      from,
      { connect, handshakeMs: ANSWERS_WITHIN_MS, wallClock },
      {
        opened: (socket) => {
          resolve({ ending: null, aheadS });
          socket.close(1000);
        },
        clockAhead: (seconds) => (aheadS = seconds),
        closed: (ending) => resolve({ ending, aheadS }),
      },
    );
  });
}
