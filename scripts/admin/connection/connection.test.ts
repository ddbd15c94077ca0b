import { describe, expect, test } from 'vitest';
import { readOrigin } from './connection.ts';
import { UsageError } from '../../base/usage-error.ts';

describe('readOrigin', () => {
  test.each([
    ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
    ['http://127.0.0.1:8787/', 'http://127.0.0.1:8787'],
    ['http://localhost', 'http://localhost'],
    ['http://[::1]:80', 'http://[::1]'],
    ['https://Verify.Example.com:443', 'https://verify.example.com'],
  ])('reads %s as %s', (text, origin) => {
    expect(readOrigin(text)).toBe(origin);
  });

  test.each([
    '',
    'verify.example.com',
    'ftp://verify.example.com',
    'https://verify.example.com/admin',
    'https://verify.example.com?x',
    'https://user@verify.example.com',
    'http://verify.example.com',
    'http://10.0.0.1',
    'http://localhost.example.com',
  ])('refuses "%s"', (text) => {
    expect(() => readOrigin(text)).toThrow(UsageError);
  });
});
