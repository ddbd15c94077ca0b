import type { Ends } from '../engine/ports/cancel.ts';
import type { Asker, DnsServer, Question, Said } from './dns-server.ts';

/** The result of one lookup. `failed`: every server refused or was silent, or the signal fired. */
export type LookUpResult = Exclude<Said, { readonly kind: 'refused' }> | { readonly kind: 'failed' };

export const FAILED: LookUpResult = { kind: 'failed' };
/** After this time without an answer, or without a turn, the next server is asked too. */
const NEXT_MS = 500;

/** Asks one server at once, the next if it refuses or is silent. "No such name" is an answer. @param done once */
export function lookUp(
  servers: readonly DnsServer[],
  question: Question,
  asker: Asker,
  signal: Ends,
  done: (result: LookUpResult) => void,
  nextMs = NEXT_MS,
): void {
  if (signal.aborted || servers.length === 0) return done(FAILED);
  const stops: (() => void)[] = [];
  let asked = 0;
  let refused = 0;
  let timer: NodeJS.Timeout | null = null;
  let isOver = false;
  const end = (result: LookUpResult): void => {
    if (isOver) return;
    isOver = true;
    if (timer !== null) clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    for (const stop of stops) stop();
    done(result);
  };
  const giveUp = (): void => end(FAILED);
  const heard = (said: Said): void => {
    if (said.kind !== 'refused') return end(said);
    refused += 1;
    if (refused === servers.length) giveUp();
    else if (refused === asked) askNext();
  };
  const askNext = (): void => {
    const server = isOver ? undefined : servers[asked];
    if (server === undefined) return;
    asked += 1;
    if (timer !== null) clearTimeout(timer);
    // If this process was busy the answer may be in the socket already: that is read first.
    if (asked < servers.length) timer = setTimeout(() => setImmediate(askNext), nextMs);
    stops.push(server.ask(question, asker, heard));
  };
  signal.addEventListener('abort', giveUp);
  askNext();
}
