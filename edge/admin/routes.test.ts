import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as forms from '../../schema/admin.ts';
import { ADMIN_ROOT, noBody, ROUTES } from './routes.ts';

// An operator's route is described in three places: routes.ts, the table in README.md, and the schema of its body.

const README = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
const routes = ROUTES.flatMap(({ methods, path, body }) =>
  methods.map((method) => ({
    call: `${method} ${path.slice(ADMIN_ROOT.length).replaceAll(/:(\w+)/g, '{$1}')}`,
    takesBody: body !== noBody,
    body,
  })),
);

it('the README lists every operator route, and no other', () => {
  const named = [...README.matchAll(/^\| `([A-Z]+ \/[^`?]*)/gm)].map(([, call = '']) => call);
  expect(named.toSorted()).toEqual(routes.map(({ call }) => call).toSorted());
});

it('the README says which routes take a body', () => {
  const rows = [...README.matchAll(/^\| `([A-Z]+ \/[^`?]*)[^|]*\| ([^|]*)\|/gm)];
  const withBody = rows.flatMap(([, call = '', body = '']) => (body.trim() === '' ? [] : [call]));
  expect(withBody.toSorted()).toEqual(routes.flatMap(({ call, takesBody }) => (takesBody ? [call] : [])).toSorted());
});

it.each(routes.filter(({ takesBody }) => takesBody))(
  'the body of $call has its schema in schema/admin.ts',
  ({ body }) => {
    expect(Object.values<unknown>(forms)).toContain(body);
  },
);
