import { type ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { signal } from '@preact/signals';
import { balance } from '../session/balance.ts';
import { me } from '../session/me.ts';
import { count } from '../words/numbers.ts';
import type { Route } from '../route/paths.ts';
import { route, visits } from '../route/route.ts';

const isOnline = signal(navigator.onLine);
addEventListener('online', () => (isOnline.value = true));
addEventListener('offline', () => (isOnline.value = false));

const LINKS: ReadonlyArray<{ readonly view: Route['view']; readonly href: string; readonly words: string }> = [
  { view: 'verify', href: '/verify', words: 'Verify' },
  { view: 'lists', href: '/lists', words: 'Lists' },
  { view: 'developers', href: '/developers', words: 'Developers' },
  { view: 'balance', href: '/balance', words: 'Balance' },
  { view: 'docs', href: '/docs', words: 'Docs' },
];

const TITLES: Readonly<Record<Route['view'], string>> = {
  verify: 'Verify',
  lists: 'Lists',
  list: 'A list',
  developers: 'Developers',
  balance: 'Balance',
  buy: 'Buy credits',
  settings: 'Settings',
  docs: 'Docs',
  operators: 'Operators',
  'sign-in': 'Sign in',
  invitation: 'Join',
  nowhere: 'Nothing here',
};

/** What stands around every view: the way to the others, the credits, and a word if the browser is offline. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const main = useRef<HTMLElement>(null);
  const visit = visits.value;
  const { view } = route.value;
  useEffect(() => {
    document.title = `${TITLES[view]} – rcpt`;
  }, [view]);
  // A reader of screens hears the new view; nobody else sees the focus.
  useEffect(() => {
    if (visit > 0) main.current?.focus();
  }, [visit]);
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header />
      <main id="main" ref={main} tabIndex={-1}>
        {!isOnline.value && (
          <p class="offline" role="status">
            You are offline. What is on this page stays; anything new waits for the connection.
          </p>
        )}
        {children}
      </main>
    </div>
  );
}

function Header() {
  const load = me.value;
  const isSignedIn = load.state === 'ready' && load.value.signedIn;
  return (
    <header class="bar">
      <a class="brand" href="/">
        <Mark />
        rcpt
      </a>
      <nav aria-label="Pages">
        {LINKS.filter(({ view }) => isSignedIn || view === 'docs').map(({ view, href, words }) => (
          <a key={view} href={href} aria-current={isIn(view) ? 'page' : undefined}>
            {words}
          </a>
        ))}
      </nav>
      <div class="corner">
        {load.state === 'ready' && load.value.signedIn ? (
          <>
            <Credits />
            <a href="/settings" aria-current={isIn('settings') ? 'page' : undefined} title={load.value.person.email}>
              <span class="account-name">{load.value.account.name}</span>
            </a>
          </>
        ) : (
          load.state === 'ready' && <a href="/sign-in">Sign in</a>
        )}
      </div>
    </header>
  );
}

function isIn(view: Route['view']): boolean {
  const here = route.value.view;
  return here === view || (here === 'list' && view === 'lists') || (here === 'buy' && view === 'balance');
}

function Credits() {
  const known = balance.value;
  if (known === null) return null;
  return (
    <a class="credits" href="/balance">
      <strong>{count(known.credits)}</strong> {known.credits === 1 ? 'credit' : 'credits'}
    </a>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <path class="mark" d="M6 2h20v28l-3.300-2.600L19.300 30 16 27.400 12.700 30 9.300 27.400 6 30z" />
      <path class="mark-tick" d="m11 13.500 3.500 3.500L21 10.500M11 22h10" />
    </svg>
  );
}
