import { expect, it } from 'vitest';
import { wantsLines } from './wants-lines.ts';

it.each([
  ['application/x-ndjson'],
  ['Application/X-NDJSON; charset=utf-8'],
  ['application/json;q=0.5, application/x-ndjson'],
  ['application/json, application/x-ndjson'],
  ['application/x-ndjson;q=0.001'],
  ['text/html, application/x-ndjson ; Q=0.9 , */*;q=0.8'],
  ['*/*, application/json;q=0.1, application/x-ndjson;q=0.2'],
])('%s asks for lines', (accept) => {
  expect(wantsLines(accept)).toBe(true);
});

it.each([
  [null],
  [''],
  ['*/*'],
  ['application/*'],
  ['application/json'],
  ['application/x-ndjson;q=0'],
  ['application/x-ndjson;q=0.000'],
  ['application/json, application/x-ndjson;q=0.9'],
  ['application/x-ndjson;q=0.5, */*'],
  ['application/*;q=0.6, application/x-ndjson;q=0.5, */*;q=0.1'],
  ['application/x-ndjson;q=2'],
  ['application/x-ndjson;q=often'],
  ['application/x-ndjson-seq'],
  [',;,;q=,'],
])('%s does not ask for lines', (accept) => {
  expect(wantsLines(accept)).toBe(false);
});
