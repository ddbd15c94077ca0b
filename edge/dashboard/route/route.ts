import { signal } from '@preact/signals';
import { type Route, routeOf } from './paths.ts';

// Where the reader is. There are few views, so the history API is all that is needed.

export const route = signal<Route>(routeOf(location.pathname));
/** Changes with each visit, so that the heading of the new view is focused. */
export const visits = signal(0);

/** Goes to a path of these pages. */
export function visit(path: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', path);
  else history.replaceState(null, '', path);
  arrive();
}

function arrive(): void {
  route.value = routeOf(location.pathname);
  visits.value += 1;
  scrollTo(0, 0);
}

/** Follows links and the browser's own buttons from now on. */
export function followLinks(): void {
  addEventListener('popstate', arrive);
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (routeOf(link.pathname).view === 'nowhere' || (link.hash !== '' && link.pathname === location.pathname)) return;
    event.preventDefault();
    visit(link.pathname + link.search + link.hash);
  });
}
