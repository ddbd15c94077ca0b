import type { AddressAnswer, MxAnswer, Resolve } from '../../prober/engine/ports/ports.ts';
import type { TraceEvent } from '../../prober/engine/ports/settings.ts';

// `probe --trace`: what was looked up and said, line by line with its time, for an operator who must understand one
// verdict. It contains addresses and what servers say about them, so it goes to the operator's own terminal only.

const ARROWS = { sent: '>', received: '<' } as const;
const TIME_COLUMNS = 7;
/** A line of a reply is at most 4 KiB; nobody reads that far. */
const LINE_CHARS_MAX = 1_000;

export type Trace = {
  readonly event: (event: TraceEvent) => void;
  /** The same lookups, logged. */
  readonly resolve: Resolve;
};

/**
 * @param write takes one line with its end
 * @param now the engine's clock: times count from this call on
 */
export function createTrace(resolve: Resolve, now: () => number, write: (line: string) => void): Trace {
  const startedMs = now();
  const tell = (atMs: number, what: string): void => {
    const time = `+${Math.round(atMs - startedMs)}`.padStart(TIME_COLUMNS);
    write(`${time} ms  ${printable(what)}\n`);
  };
  const event = ({ atMs, session, host, ip, direction, line }: TraceEvent): void => {
    const what = direction === 'note' ? `* ${host} [${ip}]: ${line}` : `${ARROWS[direction]} ${line}`;
    tell(atMs, `#${session} ${what}`);
  };
  return {
    event,
    resolve: {
      async mx(domain, signal) {
        const answer = await resolve.mx(domain, signal);
        tell(now(), `dns MX ${domain}: ${describeMx(answer)}`);
        return answer;
      },
      async addresses(host, signal, family) {
        const answer = await resolve.addresses(host, signal, family);
        const asked = family === undefined ? 'A and AAAA' : family === 4 ? 'A' : 'AAAA';
        tell(now(), `dns ${asked} ${host}: ${describeAddresses(answer)}`);
        return answer;
      },
    },
  };
}

function describeMx(answer: MxAnswer): string {
  switch (answer.kind) {
    case 'found':
      return answer.records.map(({ preference, exchange }) => `${preference} ${exchange || '. (null MX)'}`).join(', ');
    case 'none':
      return 'no such record';
    case 'nxdomain':
      return 'no such name';
    case 'failed':
      return 'no answer';
  }
}

function describeAddresses({ addresses, certain }: AddressAnswer): string {
  const found = addresses.map(({ ip }) => ip).join(', ') || 'none';
  return certain ? found : `${found} (one lookup got no answer)`;
}

/** Servers choose their words, and control characters among them would be obeyed by the terminal. */
function printable(text: string): string {
  const cut = text.length > LINE_CHARS_MAX ? `${text.slice(0, LINE_CHARS_MAX)}…` : text;
  return cut.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) => {
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
