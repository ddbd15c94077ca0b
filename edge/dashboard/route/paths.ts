// Which view an address means. Pure.

type Page = {
  /** Its name in the browser's tab, and of its link if it has one. */
  readonly title: string;
  /** Whether the bar at the top links to it. */
  readonly inBar: boolean;
  /** Whether it can be seen without signing in. */
  readonly isPublic: boolean;
};

/** The pages by the one path segment that each has; `shell/app.tsx` has their components. */
export const PAGES = {
  verify: { title: 'Verify', inBar: true, isPublic: false },
  lists: { title: 'Lists', inBar: true, isPublic: false },
  bounces: { title: 'What bounced', inBar: false, isPublic: false },
  developers: { title: 'Developers', inBar: true, isPublic: false },
  requests: { title: 'Requests', inBar: false, isPublic: false },
  balance: { title: 'Balance', inBar: true, isPublic: false },
  buy: { title: 'Buy credits', inBar: false, isPublic: false },
  settings: { title: 'Settings', inBar: false, isPublic: false },
  'sign-in': { title: 'Sign in', inBar: false, isPublic: true },
  invitation: { title: 'Join', inBar: false, isPublic: true },
  operators: { title: 'Operators', inBar: false, isPublic: true },
} as const satisfies Readonly<Record<string, Page>>;
export type PageName = keyof typeof PAGES;

/** The views with more in their address than a name, and the one at all other addresses. */
const OTHERS = {
  list: { title: 'A list', inBar: false, isPublic: false },
  nowhere: { title: 'Nothing here', inBar: false, isPublic: true },
} as const satisfies Readonly<Record<string, Page>>;
const VIEWS: Readonly<Record<Route['view'], Page>> = { ...PAGES, ...OTHERS };

export type Route =
  | { readonly view: PageName }
  | { readonly view: 'list'; readonly id: string }
  | { readonly view: 'nowhere' };

/** The route of a path such as `/lists/9f2`. Pure. */
export function routeOf(path: string): Route {
  const [first = '', second, third] = path.split('/').filter((part) => part !== '');
  if (third !== undefined) return { view: 'nowhere' };
  if (first === 'lists' && second !== undefined) return { view: 'list', id: second };
  if (second !== undefined) return { view: 'nowhere' };
  if (first === '') return { view: 'verify' };
  return isPage(first) ? { view: first } : { view: 'nowhere' };
}

function isPage(name: string): name is PageName {
  return Object.hasOwn(PAGES, name);
}

/** Whether the view can be seen without signing in. */
export function isPublic({ view }: Route): boolean {
  return VIEWS[view].isPublic;
}

/**
 * A path of these pages to come back to, after a mail or a payment: as the pages write it, of a view that needs a
 * session. Null for anything else, because whoever asks can write anything.
 */
export function comeBackTo(path: unknown): string | null {
  if (typeof path !== 'string' || !/^\/(?:[a-z]{1,20}(?:\/[0-9a-f-]{1,36})?)?$/.test(path)) return null;
  return isPublic(routeOf(path)) ? null : path;
}

/** The name of a view, for the browser's tab. */
export function titleOf(route: Route): string {
  return VIEWS[route.view].title;
}

/** The pages that the bar at the top links to, in order; the docs, which are no view of these, come after them. */
export function pagesInBar(isSignedIn: boolean): ReadonlyArray<{ readonly name: string; readonly title: string }> {
  return Object.entries(PAGES)
    .filter(([, page]) => page.inBar && (isSignedIn || page.isPublic))
    .map(([name, { title }]) => ({ name, title }));
}
