import type { Answer } from './answer.ts';

// What hosts said of one address, and which of them is believed: pure.

export type Said = {
  readonly host: string;
  readonly answer: Answer;
  /** It says this of nearly everybody, and one that contradicts it here does not. */
  readonly isOneWord: boolean;
};
export type Decision = {
  /** What is believed; null: nobody knows. */
  readonly answer: Answer | null;
  /** Hosts that are contradicted by it, and hosts that are confirmed. */
  readonly alone: readonly string[];
  readonly agreed: readonly string[];
};

/**
 * The majority is believed, but not the majority of those who say one thing of everybody. A deferral is no vote against a
 * verdict: who is put off depends on who asks and when.
 */
export function decide(said: readonly Said[]): Decision {
  const verdicts = said.filter(({ answer }) => answer !== 'defers');
  const witnesses = verdicts.filter(({ isOneWord }) => !isOneWord);
  const pool = witnesses.length > 0 ? witnesses : verdicts.length > 0 ? verdicts : said;
  if (witnesses.length === 0 && new Set(pool.map(({ answer }) => answer)).size > 1)
    return { answer: null, alone: [], agreed: [] };
  const votes = new Map<Answer, number>();
  for (const { answer } of pool) votes.set(answer, (votes.get(answer) ?? 0) + 1);
  const [first, second] = [...votes].toSorted(([, a], [, b]) => b - a);
  const isDecided = first !== undefined && first[1] > (second?.[1] ?? 0);
  if (!isDecided) return { answer: null, alone: [], agreed: [] };
  const [answer] = first;
  const sayers = said.filter((one) => one.answer === answer);
  // One voice against those that say one thing of everybody, and none against those that do not.
  const others = said.filter((one) => one.answer !== answer);
  if (sayers.length === 1 && said.length > 1 && !others.some(({ isOneWord }) => isOneWord)) {
    const isVerdict = said[0]?.answer === 'defers' && verdicts.length === 1;
    return { answer: isVerdict ? answer : null, alone: [], agreed: [] };
  }
  return {
    answer,
    alone: others.filter((one) => one.answer !== 'defers' || one.isOneWord).map(({ host }) => host),
    // One that says this of everybody confirms it to nobody.
    agreed: sayers
      .filter(({ host }) => sayers.some((other) => other.host !== host && !other.isOneWord))
      .map(({ host }) => host),
  };
}
