import type { Recipient, Stage } from '../../prober/engine/ports/ports.ts';
import { explainReply, type Explanation, type Match } from '../../prober/engine/meaning/explain.ts';
import { ReplyReader, type Reply } from '../../prober/engine/smtp/wire/reply.ts';

export const STAGES = ['greeting', 'ehlo', 'starttls', 'mail', 'rcpt'] as const satisfies readonly Stage[];

export type ExplainOptions = {
  readonly reply: Reply;
  readonly stage: Stage;
  /** Whom the command asked for, if the reply names anybody. */
  readonly recipient: Recipient | undefined;
};

/**
 * A reply as it goes over the wire, its lines parted by line feeds or by `\n` spelt out. Null if no server could have
 * sent it: no code, codes that differ, a last line that promises another.
 *
 * @example readReply('550-5.1.1 No such\\n550 5.1.1 user')
 */
export function readReply(text: string): Reply | null {
  const lines = text.replaceAll('\\n', '\n').replace(/\s+$/, '').split(/\r?\n/);
  const reader = new ReplyReader();
  reader.feed(new TextEncoder().encode(lines.map((line) => `${line}\r\n`).join('')));
  const reply = reader.next();
  return reply !== null && reader.empty && !reader.broken ? reply : null;
}

const TEST =
  'if another address of the domain is accepted, a made-up mailbox and that one are asked about: refused alike and accepted, there is no such mailbox';

/** What `--explain` prints: one fact a line. */
export function explain({ reply, stage, recipient }: ExplainOptions): string {
  return describe(explainReply(stage, reply, recipient));
}

function describe({ read, gist, matches, status, codesSay, classified, isTestable }: Explanation): string {
  const { meaning, deferral, endsSession, demandsTls, by, rule } = classified;
  const besides = [
    deferral === null ? '' : `, ${deferral.cause}, waiting ${deferral.askedS ?? 'unsaid'}`,
    endsSession ? ', ends the session' : '',
    demandsTls ? ', demands TLS' : '',
  ].join('');
  return [
    `read     ${JSON.stringify(read)}`,
    `gist     ${gist.trim()}`,
    ...(matches.length === 0 ? ['rule     none matches'] : matches.map(describeMatch)),
    `code     ${status ?? 'no enhanced code'}: ${codesSay ?? 'says nothing by itself'}`,
    `outcome  ${meaning}${besides}`,
    `by       ${rule ?? by}`,
    ...(isTestable ? [`test     ${TEST}`] : []),
    '',
  ].join('\n');
}

function describeMatch({ rule, says, pattern, found, outOfPlay }: Match): string {
  const end = outOfPlay === null ? '' : `; out of play: ${outOfPlay}`;
  return `rule     ${rule} says ${says}: "${pattern}" found "${found}"${end}`;
}
