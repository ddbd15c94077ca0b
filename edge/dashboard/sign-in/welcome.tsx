import { late } from '../parts/late.tsx';
import { features } from '../session/me.ts';
import { count, perThousand } from '../words/numbers.ts';
import { SignInForm } from './sign-in-form.tsx';

const Tour = late(async () => (await import('./tour/tour.tsx')).Tour);

/** What a visitor who is not signed in sees: what this is and costs, the sign-in form, and below it a verdict to try. */
export function Welcome() {
  return (
    <>
      <div class="welcome">
        <section class="welcome-words" aria-labelledby="welcome-title">
          <h1 id="welcome-title">Know which addresses accept mail, and why the others don’t</h1>
          <p class="lead">We ask each address’s own mail server, now, and tell you what its answer means.</p>
        </section>
        <section class="card" aria-labelledby="sign-in-title">
          <h2 id="sign-in-title">Sign in, or start free</h2>
          <SignInForm />
        </section>
        <Offer />
      </div>
      <Tour />
    </>
  );
}

/** What it costs, in a line or two. */
function Offer() {
  const known = features();
  if (known === null) return null;
  const { welcomeCredits, buying } = known;
  const [cheapest] = (buying?.packs ?? []).toSorted((a, b) => a.amount / a.credits - b.amount / b.credits);
  return (
    <ul class="offer">
      {welcomeCredits > 0 && (
        <li>
          <strong>{count(welcomeCredits)} credits free</strong>, no card needed, once per mailbox
        </li>
      )}
      <li>
        <strong>1 credit</strong> verifies 1 address
      </li>
      {cheapest !== undefined && (
        <li>
          from <strong>{perThousand(cheapest)}</strong> for 1,000
        </li>
      )}
    </ul>
  );
}
