import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ADMIN_ROOT, ROUTES } from '../../../edge/admin/routes.ts';

// By the text of the files: what calls a route, and what calls that.

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const API = read('api.ts');

test('every route of operators has its call here, and every call its route', () => {
  const calls = [...API.matchAll(/\bcall\(\s*'([A-Z]+)', [`']([^`'?]+)/g)].map(
    ([, method = '', path = '']) => `${method} ${path.replaceAll(/\$\{\w+\}/g, ':')}`,
  );
  const routes = ROUTES.flatMap(({ methods, path }) =>
    methods.map((method) => `${method} ${path.slice(ADMIN_ROOT.length).replaceAll(/:\w+/g, ':')}`),
  );
  expect(calls.toSorted()).toEqual(routes.toSorted());
});

test('every call is used by a command', () => {
  const names = [...API.matchAll(/^ {4}(\w+): \(/gm)].map(([, name = '']) => name);
  const folder = new URL('../', import.meta.url);
  const others = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('connection/api.ts'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n');
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !new RegExp(`\\.${name}\\b`).test(others))).toEqual([]);
});
