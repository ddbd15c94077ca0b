// Which view an address means. Pure.

export type Route =
  | { readonly view: 'verify' | 'lists' | 'developers' | 'balance' | 'buy' | 'settings' | 'docs' }
  | { readonly view: 'operators'; readonly part: OperatorsPart }
  | { readonly view: 'sign-in' | 'invitation' }
  | { readonly view: 'list'; readonly id: string }
  | { readonly view: 'nowhere' };

export type OperatorsPart =
  | { readonly name: 'hosts' | 'accounts' | 'orders' }
  | { readonly name: 'account'; readonly id: string };

/** The route of a path such as `/lists/9f2`. Pure. */
export function routeOf(path: string): Route {
  const [first = '', second, third, fourth] = path.split('/').filter((part) => part !== '');
  if (first === 'operators') return operatorsRoute(second, third, fourth);
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
    case 'sign-in':
    case 'invitation':
      return { view: first };
    default:
      return { view: 'nowhere' };
  }
}

function operatorsRoute(second?: string, third?: string, fourth?: string): Route {
  if (fourth !== undefined) return { view: 'nowhere' };
  if (second === 'accounts' && third !== undefined) return { view: 'operators', part: { name: 'account', id: third } };
  if (third !== undefined) return { view: 'nowhere' };
  if (second === undefined) return { view: 'operators', part: { name: 'hosts' } };
  return second === 'accounts' || second === 'orders'
    ? { view: 'operators', part: { name: second } }
    : { view: 'nowhere' };
}

/** The views that anyone may see. */
export function isPublic({ view }: Route): boolean {
  return view === 'docs' || view === 'operators' || view === 'sign-in' || view === 'invitation' || view === 'nowhere';
}
