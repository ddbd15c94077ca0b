import type { Class, Model, Opinion } from './model.ts';

/** Surer than this the model must be to say so, chosen by leaving families of replies out (`npm run -s train`). */
export const SURE_OF: Readonly<Record<Class, number>> = {
  no_such_mailbox: 0.95,
  mailbox_full: 0.9,
  policy_rejected: 0.8,
  unexpected: 0,
};

/** A noun that the tables know: of words that it never saw the model knows nothing. */
const SPEAKS_OF_ANYTHING = /[A-Z]{2}/;
const SPEAKS_OF_RECIPIENT = / (?:BOX|addr|RDOMAIN) /;
/** Words about us, about the server, or that make it doubtful for how long. */
const SPEAKS_OF_OTHERS =
  / (?:SENDER|CLIENT|IP|HELO|RDNS|LIST|SPF|SPAM|POLICY|REPUTE|AUTH|RELAY|TLS|RATE|MANY|GREY|TAGUS|TAGLIMIT|COMMAND|THING|INFRA|HOST|you|your|from|or|temporarily|try|again|smtp|send|sending|queue|loop|loops|configuration|currently) /;

/** What the model makes of a refusal that no rule and no code explains; null where it is not sure, or must not say so. */
export function secondOpinion(model: Model | null, gist: string): Opinion | null {
  const opinion = SPEAKS_OF_ANYTHING.test(gist) ? model?.opinion(gist) : undefined;
  if (opinion === undefined || opinion.says === 'unexpected' || opinion.probability < SURE_OF[opinion.says])
    return null;
  return opinion.says !== 'no_such_mailbox' || mayBeDead(gist) ? opinion : null;
}

/** A dead mailbox is only ever said where the words are about the recipient and about nothing else. */
export const mayBeDead = (gist: string): boolean => SPEAKS_OF_RECIPIENT.test(gist) && !SPEAKS_OF_OTHERS.test(gist);
