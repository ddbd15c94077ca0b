import { isIP } from 'node:net';
import type { Ends } from '../engine/ports/cancel.ts';
import type { Dial, DialAnswer, DialTarget } from '../engine/ports/ports.ts';
import { type Opened, openTcp } from './connection.ts';
import { isExhaustion, type SocketError, type TellError } from '../base/exhaustion.ts';

/** Errors caused by the peer; any other error before a packet could arrive is this host's own state. */
const BY_THE_PEER: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ETIMEDOUT']);

/**
 * Opens TCP connections over node:net, to the very address that was checked. `reset`: it broke off as it opened.
 * `no_route` is everything that this host itself answers: no route or source address, a firewall, no descriptor left.
 */
export function createDial(onError?: TellError): Dial {
  return (target, cancel) => dial(target, cancel, onError);
}

function dial(target: DialTarget, cancel: Ends, tellError: TellError | undefined): Promise<DialAnswer> {
  const family = isIP(target.ip);
  if (family === 0) throw new Error('dial takes an IP address, not a name');
  if (cancel.aborted) return Promise.resolve({ kind: 'aborted' });
  if (target.from !== null && isIP(target.from) !== family) return Promise.resolve({ kind: 'no_route' });
  const began = turnOfLoop();
  return new Promise((resolve) => {
    const end = (answer: DialAnswer): void => {
      cancel.removeEventListener('abort', onAbort);
      resolve(answer);
    };
    const onAbort = (): void => {
      connection.destroy();
      end({ kind: 'aborted' });
    };
    const opened = (how: Opened): void => {
      if (how === 'connected') end({ kind: 'connected', connection });
      else if (how === 'closed') end({ kind: 'failed' });
      // A refused SYN says ECONNREFUSED. A reset belongs to a connection that was open, if only for the peer.
      else if (how.code === 'ECONNRESET') end({ kind: 'reset' });
      else end({ kind: isOurs(how, began) ? 'no_route' : 'failed' });
    };
    const connection = openTcp(target, opened, tellError);
    cancel.addEventListener('abort', onAbort);
  });
}

function isOurs(error: SocketError, began: number): boolean {
  return isExhaustion(error) || (turnOfLoop() === began && !BY_THE_PEER.has(error.code));
}

let turns = 0;
let isCounting = false;

/** Identifies a turn of the event loop: the routing table answers before the loop turns, the network never does. */
function turnOfLoop(): number {
  if (!isCounting) {
    isCounting = true;
    setImmediate(() => {
      isCounting = false;
      turns += 1;
    });
  }
  return turns;
}
