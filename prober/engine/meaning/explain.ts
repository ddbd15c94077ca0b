import type { Recipient, Stage } from '../ports/ports.ts';
import type { Reply } from '../smtp/wire/reply.ts';
import { classify, type Classified } from './classify.ts';
import { testable } from './controls.ts';
import { findStatus, readCodes } from './rules/codes.ts';
import { SPECIFIC_RULES } from './rules/decide.ts';
import { compilePatterns, compileRule, isConditional, type Rule } from './rules/rule.ts';
import { LAST_RULE, VAGUE_RULES } from './rules/vague.ts';
import { gistOf, readText, withoutNames } from './words/gist.ts';

/** A rule with a pattern in the gist: the first such pattern and the words that it found. */
export type Match = {
  readonly rule: string;
  readonly says: string;
  readonly pattern: string;
  readonly found: string;
  /** What disabled the rule all the same, null if nothing did. */
  readonly outOfPlay: string | null;
};

export type Explanation = {
  /** The text that was read, without names. */
  readonly read: string;
  readonly gist: string;
  /** Rules with a subject, in the order in which they are tried, then those without. */
  readonly matches: readonly Match[];
  readonly status: string | null;
  /** What code and enhanced code mean by themselves, null if nothing. */
  readonly codesSay: string | null;
  readonly classified: Classified;
  /** If another recipient of the domain is accepted, it would be tested (`controls.ts`). */
  readonly isTestable: boolean;
};

/** How a reply is read, step by step. Slow, for people. */
export function explainReply(stage: Stage, reply: Reply, recipient?: Recipient): Explanation {
  const read = withoutNames(readText(reply), recipient);
  const gist = gistOf(read);
  const status = findStatus(reply.enhanced, reply.code, read);
  const classified = classify(stage, reply, recipient);
  return {
    read,
    gist,
    matches: [...SPECIFIC_RULES, ...VAGUE_RULES, LAST_RULE].flatMap((rule) => matchOf(rule, gist, reply.code)),
    status,
    codesSay: readCodes(reply.code, status),
    classified,
    isTestable:
      stage === 'rcpt' && testable({ reply, said: classified }, recipient ?? { local: '', domain: '' }) !== null,
  };
}

function matchOf(rule: Rule, gist: string, code: number): Match[] {
  const pattern = rule.when.find((one) => compilePatterns([one]).test(gist));
  if (pattern === undefined) return [];
  const found = compilePatterns([pattern]).find(gist)?.[0].trim() ?? '';
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
