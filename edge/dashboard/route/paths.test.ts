import { expect, it } from 'vitest';
import { isPublic, routeOf } from './paths.ts';

it.each([
  ['/', { view: 'verify' }],
  ['/verify', { view: 'verify' }],
  ['/lists/', { view: 'lists' }],
  ['/lists/9f2', { view: 'list', id: '9f2' }],
  ['/invitation', { view: 'invitation' }],
  ['/lists/9f2/more', { view: 'nowhere' }],
  ['/balance/9f2', { view: 'nowhere' }],
  ['/operators', { view: 'operators' }],
  ['/operators/accounts', { view: 'nowhere' }],
  ['/docs', { view: 'nowhere' }],
  ['/constructor', { view: 'nowhere' }],
])('%s is its view', (path, route) => {
  expect(routeOf(path)).toEqual(route);
});

it('shows money, keys and lists only to those who are signed in', () => {
  const open = ['/', '/lists', '/lists/1', '/developers', '/balance', '/buy', '/settings'].filter((path) =>
    isPublic(routeOf(path)),
  );
  expect(open).toEqual([]);
});
