import { expect, it } from 'vitest';
import { coveredBy } from './find-opted-out.ts';

it.each([
  ['example.com', ['example.com']],
  ['mail.example.co.uk', ['mail.example.co.uk', 'example.co.uk', 'co.uk']],
  [
    'a.b.c.d.e.f.example.com',
    ['c.d.e.f.example.com', 'd.e.f.example.com', 'e.f.example.com', 'f.example.com', 'example.com'],
  ],
  ['localhost', []],
])('%s is covered by %j, never by a single label', (domain, names) => {
  expect(coveredBy(domain)).toEqual(names);
});
