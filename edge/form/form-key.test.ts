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
    ['shop.example', 'https://shop.example'],
    ['Www.Shop.example/', 'https://www.shop.example'],
    ['bücher.example:8443', 'https://xn--bcher-kva.example:8443'],
    ['localhost:3000', 'http://localhost:3000'],
    ['app.localhost', 'http://app.localhost'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['[::1]:3000', 'http://[::1]:3000'],
  ])('%s is read as %s', (text, origin) => {
    expect(formOriginSchema.parse(text)).toBe(origin);
  });

  it.each<readonly [string, string]>([
    ['http://shop.example', 'http works on localhost only'],
    ['http://192.168.0.1', 'http works on localhost only'],
    ['http://localhost.example', 'http works on localhost only'],
    ['https://*.shop.example', 'without *'],
    ['*', 'without *'],
    ['https://shop.example/sign-up', 'alone, as https://shop.example'],
    ['shop.example/sign-up', 'alone, as https://shop.example'],
    ['https://shop.example/?a', 'alone, as https://shop.example'],
    ['ann@shop.example', 'alone, as https://shop.example'],
    ['x'.repeat(301), 'too long'],
    ...['null', '', 'shop', 'file:///a', 'data:,', 'chrome-extension://abc', 'https://', '.'].map(
      (text) => [text, 'as https://shop.example'] as const,
    ),
  ])('is invalid, and says in words why: %s', (text, why) => {
    expect(formOriginSchema.safeParse(text).error?.issues[0]?.message).toContain(why);
  });
});
