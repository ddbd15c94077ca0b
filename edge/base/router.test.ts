import { describe, expect, it } from 'vitest';
import { createRouter } from './router.ts';

const find = createRouter([
  { methods: ['GET', 'HEAD'], path: '/things', does: 'list' },
  { methods: ['PUT'], path: '/things/:thing', does: 'make' },
  { methods: ['GET'], path: '/things/:thing', does: 'show' },
  { methods: ['GET'], path: '/things/:thing/parts/:part', does: 'part' },
  { methods: ['ALL'], path: '/inner/*', does: 'inner' },
] as const);

describe('createRouter', () => {
  it.each([
    ['GET', '/things', 'list', {}],
    ['HEAD', '/things', 'list', {}],
    ['PUT', '/things/a', 'make', { thing: 'a' }],
    ['GET', '/things/constructor', 'show', { thing: 'constructor' }],
    ['GET', '/things/a/parts/b', 'part', { thing: 'a', part: 'b' }],
    ['PATCH', '/inner/any/depth', 'inner', {}],
  ])('finds the route of %s %s', (method, path, does, params) => {
    expect(find(method, path)).toEqual({ kind: 'route', route: expect.objectContaining({ does }), params });
  });

  it.each([
    ['POST', '/things', 'GET, HEAD'],
    ['DELETE', '/things/a', 'GET, PUT'],
    ['HEAD', '/things/a', 'GET, PUT'],
    ['__proto__', '/things/a/parts/b', 'GET'],
  ])('derives the methods that the path of %s %s takes from the routes', (method, path, allow) => {
    expect(find(method, path)).toMatchObject({
      kind: 'other_methods',
      refusal: { failure: 'METHOD_NOT_ALLOWED', message: `This path takes ${allow} only.`, headers: { allow } },
    });
  });

  it.each(['/', '', '/things/', '/things/a/', '/things/a/parts', '/constructor', '/__proto__', '/Things', '/things//'])(
    'finds nothing at %s',
    (path) => {
      expect(find('GET', path)).toMatchObject({
        kind: 'no_path',
        refusal: { failure: 'NOT_FOUND', message: 'There is nothing at this path.' },
      });
    },
  );
});
