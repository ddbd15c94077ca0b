import { describe, expect, it } from 'vitest';
import { formOriginSchema } from './form-key.ts';

describe('an origin of a form', () => {
  it.each([
    ['https://shop.example', 'https://shop.example'],
    [' https://Shop.Example/ ', 'https://shop.example'],
    ['https://shop.example:443', 'https://shop.example'],
    ['https://bücher.example:8443', 'https://xn--bcher-kva.example:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://shop.localhost', 'http://shop.localhost'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://[::1]', 'http://[::1]'],
  ])('%s is read as %s', (text, origin) => {
    expect(formOriginSchema.parse(text)).toBe(origin);
  });

  it.each([
    ['http://shop.example', 'http://192.168.0.1', 'http://localhost.example', 'https://*.shop.example'],
    ['https://shop.example/sign-up', 'https://shop.example/?a', 'https://ann@shop.example', 'shop.example'],
    ['*', 'null', '', 'file:///a', 'data:,', 'chrome-extension://abc'],
  ])('is invalid: %s, %s, %s, %s', (...texts) => {
    for (const text of texts) expect(formOriginSchema.safeParse(text).success).toBe(false);
  });
});
