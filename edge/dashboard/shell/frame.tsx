import { type ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { balance } from '../session/balance.ts';
import { me } from '../session/me.ts';
import { isOnline } from '../session/service-state.ts';
import { count } from '../words/numbers.ts';
import { pagesInBar, titleOf } from '../route/paths.ts';
import { Foot } from './foot.tsx';
import { route, visits } from '../route/route.ts';

/** Around every view: links to the others, the credits, and a notice if the browser is offline. */
export function Frame({ children }: { readonly children: ComponentChildren }) {
  const main = useRef<HTMLElement>(null);
  const visit = visits.value;
  const title = titleOf(route.value);
  useEffect(() => {
    document.title = `${title} – rcpt`;
  }, [title]);
  // A screen reader announces the new view; the focus is not visible.
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
            You are offline. This page stays as it is; anything new needs a connection.
          </p>
        )}
        {children}
      </main>
      <Foot />
    </div>
  );
}

function Header() {
  const load = me.value;
  const isSignedIn = load.state === 'ready' && load.value.signedIn;
  return (
    <header class={isSignedIn ? 'bar' : 'bar short'}>
      <a class="brand" href="/">
        <Mark />
        rcpt
      </a>
      <nav aria-label="Pages">
        {pagesInBar(isSignedIn).map(({ name, title }) => (
          <a key={name} href={`/${name}`} aria-current={isIn(name) ? 'page' : undefined}>
            {title}
          </a>
        ))}
        <a href="/docs">Docs</a>
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

function isIn(view: string): boolean {
  const here = route.value.view;
  return (
    here === view ||
    (here === 'list' && view === 'lists') ||
    (here === 'buy' && view === 'balance') ||
    (here === 'requests' && view === 'developers')
  );
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
