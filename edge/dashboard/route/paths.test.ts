import { expect, it } from 'vitest';
import { comeBackTo, isPublic, routeOf } from './paths.ts';

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

const LIST = '/lists/3f0c9f5e-7d5b-4a53-9f5e-0a1b2c3d4e5f';

it.each(['/', '/verify', '/lists', LIST, '/buy', '/settings', '/bounces'])('one can come back to %s', (path) => {
  expect(comeBackTo(path)).toBe(path);
});

it.each<unknown>([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%2f/evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '/javascript:alert(1)',
  'https://evil.example/',
  'verify',
  '',
  ' /verify',
  '/verify\n',
  '/verify?x=1',
  '/verify#token=x',
  '/../verify',
  '//buy',
  '/buy//',
  `${LIST}/`,
  `${LIST}/x`,
  '/lists/you-won-a-prize',
  '/sign-in',
  '/invitation',
  '/operators',
  '/nowhere',
  '/app/v1/me',
  null,
  7,
  ['/verify'],
])('one cannot come back to %j', (path) => {
  expect(comeBackTo(path)).toBeNull();
});

it('shows money, keys and lists only to those who are signed in', () => {
  const open = ['/', '/lists', '/lists/1', '/developers', '/balance', '/buy', '/settings'].filter((path) =>
    isPublic(routeOf(path)),
  );
  expect(open).toEqual([]);
});
