import type { Connect } from '../../link/connect.ts';
import { type Identity, makeHostToken } from '../../link/identity.ts';
import { aheadOf, causeOf, type Ending, explainEnding } from '../../link/why-lost.ts';
import { type Finding, mend, ok, unknown } from './findings.ts';

const ANSWERS_WITHIN_MS = 10_000;
/** A token is good for 60 s: half of that is left for the way. */
const CLOCK_OFF_S = 30;

type Knock = { readonly kind: 'open' } | { readonly kind: 'ended'; readonly ending: Ending };

/** Whether the edge lets this host in, and how far this machine's clock is off: one link that is opened and closed. */
export async function checkEdge(
  identity: Identity,
  connect: Connect,
  wallClock: () => number,
  dateOf: (url: string) => Promise<string | null>,
): Promise<Finding[]> {
  const { host, origin } = identity;
  const [knock, aheadS] = await Promise.all([
    knockAt(identity, connect, wallClock),
    dateOf(`${origin}/health`).then((date) => aheadOf(date ?? undefined, wallClock())),
  ]);
  return [describeKnock(host, origin, knock), describeClock(origin, aheadS)];
}

function describeKnock(host: string, origin: string, knock: Knock): Finding {
  if (knock.kind === 'open') return ok('link', host, `connects to ${origin}`);
  const { status, cause } = knock.ending;
  const { hint } = explainEnding(knock.ending);
  const how = status > 0 ? `HTTP ${status}` : (cause ?? `close code ${knock.ending.code}`);
  return mend('link', host, `cannot connect to ${origin} (${how}): ${hint ?? 'try again in a minute'}`);
}

function describeClock(origin: string, aheadS: number | null): Finding {
  if (aheadS === null) return unknown('clock', origin, 'sent no time; see the line for the link');
  if (Math.abs(aheadS) < CLOCK_OFF_S)
    return ok('clock', origin, `its time differs from ours by ${Math.abs(aheadS)} s at most`);
  const way = aheadS > 0 ? 'ahead' : 'behind';
  return mend('clock', origin, `our clock is ${Math.abs(aheadS)} s ${way}; run timedatectl set-ntp true`);
}

async function knockAt(identity: Identity, connect: Connect, wallClock: () => number): Promise<Knock> {
  const url = new URL('/link?shard=0', identity.origin);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  const token = await makeHostToken(identity, wallClock());
  const socket = connect(url, { authorization: `Bearer ${token}` }, ANSWERS_WITHIN_MS);
  return new Promise((resolve) => {
    let ending: Omit<Ending, 'code'> = { status: 0, cause: null, aheadS: null };
    socket.on('error', (error) => (ending = { ...ending, cause: ending.cause ?? causeOf(error) }));
    socket.on('unexpected-response', (request, response) => {
      ending = { ...ending, status: response.statusCode ?? 0, aheadS: aheadOf(response.headers.date, wallClock()) };
      request.destroy();
      socket.terminate();
    });
    socket.on('open', () => {
      resolve({ kind: 'open' });
      socket.close(1000);
    });
    socket.once('close', (code) => resolve({ kind: 'ended', ending: { ...ending, code } }));
  });
}

/** The Date header of an answer, null if there is none or nobody answers. */
export async function askDate(url: string): Promise<string | null> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    await answer.body?.cancel();
    return answer.headers.get('date');
  } catch {
    return null;
  }
}
