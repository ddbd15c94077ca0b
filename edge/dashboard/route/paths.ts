// Which view an address means. Pure.

export type Route =
  | { readonly view: 'verify' | 'lists' | 'developers' | 'balance' | 'buy' | 'settings' | 'docs' | 'operators' }
  | { readonly view: 'sign-in' | 'join' }
  | { readonly view: 'list'; readonly id: string }
  | { readonly view: 'nowhere' };

/** The route of a path such as `/lists/9f2`. Pure. */
export function routeOf(path: string): Route {
  const [first = '', second, third] = path.split('/').filter((part) => part !== '');
  if (third !== undefined) return { view: 'nowhere' };
  if (first === 'lists' && second !== undefined) return { view: 'list', id: second };
  if (second !== undefined) return { view: 'nowhere' };
  switch (first) {
    case '':
      return { view: 'verify' };
    case 'verify':
    case 'lists':
    case 'developers':
    case 'balance':
    case 'buy':
    case 'settings':
    case 'docs':
    case 'operators':
    case 'sign-in':
    case 'join':
      return { view: first };
    default:
      return { view: 'nowhere' };
  }
}

/** The views that anyone may see. */
export function isPublic({ view }: Route): boolean {
  return view === 'docs' || view === 'operators' || view === 'sign-in' || view === 'join' || view === 'nowhere';
}
