import type { Recipient } from '../ports/recipient.ts';
import type { Reply } from '../wire/reply.ts';
import { classify, type Classified } from './classify.ts';
import { testable } from './controls.ts';
import type { Stage } from '../ports/stage.ts';
import { findStatus, readCodes } from './rules/codes.ts';
import { SPECIFIC_RULES } from './rules/decide.ts';
import { compilePatterns, compileRule, isConditional, type Rule } from './rules/rule.ts';
import { LAST_RULES, VAGUE_RULES } from './rules/vague.ts';
import { gistOf, readText, withoutNames } from './words/gist.ts';

/** A rule one of whose patterns stands in the gist: the first such pattern and the words that it found. */
export type Match = {
  readonly rule: string;
  readonly says: string;
  readonly pattern: string;
  readonly found: string;
  /** What took the rule out of play all the same, null where nothing did. */
  readonly outOfPlay: string | null;
};

export type Explanation = {
  /** The text that was read, names taken out. */
  readonly read: string;
  readonly gist: string;
  /** Rules about somebody, in the order in which they are asked, then those that name nobody. */
  readonly matches: readonly Match[];
  readonly status: string | null;
  /** What code and enhanced code say by themselves, null where they say nothing. */
  readonly codesSay: string | null;
  readonly classified: Classified;
  /** With somebody else of the domain accepted, it would be put to the test (`controls.ts`). */
  readonly isTestable: boolean;
};

/** Whom a reply is read for if it is not known who was asked for. */
const NOBODY: Recipient = { local: '', domain: '' };

/** How a reply is read, step by step. Slow, for people. */
export function explainReply(stage: Stage, reply: Reply, recipient?: Recipient): Explanation {
  const read = withoutNames(readText(reply), recipient);
  const gist = gistOf(read);
  const status = findStatus(reply.enhanced, reply.code, read);
  const classified = classify(stage, reply, recipient);
  return {
    read,
    gist,
    matches: [...SPECIFIC_RULES, ...VAGUE_RULES, ...LAST_RULES].flatMap((rule) => matchOf(rule, gist, reply.code)),
    status,
    codesSay: readCodes(reply.code, status),
    classified,
    isTestable: stage === 'rcpt' && testable({ reply, said: classified }, recipient ?? NOBODY) !== null,
  };
}

function matchOf(rule: Rule, gist: string, code: number): Match[] {
  const pattern = rule.when.find((one) => compilePatterns([one]).test(gist));
  if (pattern === undefined) return [];
  const found = compilePatterns([pattern]).exec(gist)?.[0].trim() ?? '';
  return [{ rule: rule.id, says: rule.says, pattern, found, outOfPlay: outOfPlay(rule, gist, code) }];
}

function outOfPlay(rule: Rule, gist: string, code: number): string | null {
  if (compileRule(rule).matches(gist, code)) return null;
  if (rule.codes !== undefined && !rule.codes.includes(code)) return `speaks of other codes than ${code}`;
  const against = rule.unless?.find((one) => compilePatterns([one]).test(gist));
  if (against !== undefined) return against;
  return isConditional(rule, gist)
    ? 'stands in a condition'
    : `before it or in its sentence: ${rule.unlessAhead?.join(', ') ?? ''}`;
}
