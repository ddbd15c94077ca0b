import { judgeIp } from '../../engine/targets/routable.ts';
import type { Target } from '../../engine/targets/targets.ts';
import { helloCommand } from '../../engine/smtp/wire/command.ts';
import { talkTo, type WayOut } from '../health/ways-out.ts';
import { printable } from './findings.ts';

const ADDRESS_LITERAL = /\[(?:IPv6:)?([0-9a-f.:]+)\]/gi;

export type Greeted =
  /** `seen` is the address that the server says it sees, null if it says none. */
  | { readonly kind: 'greeted'; readonly seen: string | null }
  | { readonly kind: 'refused'; readonly words: string }
  | { readonly kind: 'no_route' | 'unreached' | 'silent' };

export async function sayEhlo(way: WayOut, target: Target, signal: AbortSignal): Promise<Greeted> {
  const talked = await talkTo(way, target, [helloCommand('EHLO', way.from.heloName)], signal);
  if (talked.kind === 'undialled') return { kind: talked.isRouted ? 'unreached' : 'no_route' };
  const [greeting, hello] = talked.replies;
  if (greeting !== undefined && greeting.code !== 220) return { kind: 'refused', words: wordsOf(greeting) };
  if (hello === undefined) return { kind: 'silent' };
  if (hello.code >= 400) return { kind: 'refused', words: wordsOf(hello) };
  return { kind: 'greeted', seen: seenIn(hello.lines[0] ?? '', target) };
}

function wordsOf({ code, lines }: { readonly code: number; readonly lines: readonly string[] }): string {
  return printable(`${code} ${lines.join(' ')}`);
}

/** Many servers name their client in the first line: `250-mx.example Hello probe.example [203.0.113.5]`. */
function seenIn(line: string, { family }: Target): string | null {
  for (const [, literal = ''] of line.matchAll(ADDRESS_LITERAL)) {
    const seen = judgeIp(literal);
    if (seen?.family === family) return seen.ip;
  }
  return null;
}
