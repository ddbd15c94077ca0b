import { describe, expect, it } from 'vitest';
import { parseEgress, parseRoute, parseServer, parseStub } from './options.ts';

const words = (text: string): string[] => text.split(' ');

describe('parseServer', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1:53'],
    ['192.0.2.1:5300', '192.0.2.1:5300'],
    ['::1', '[::1]:53'],
    ['[::1]', '[::1]:53'],
    ['[2001:db8::1]:5300', '[2001:db8::1]:5300'],
  ])('accepts %s', (text, value) => {
    expect(parseServer(text)).toEqual({ ok: true, value });
  });

  it.each([
    '',
    ...words(
      'dns.example 127.0.0.1: 127.0.0.1:0 127.0.0.1:65536 127.0.0.1:5e3 1.2.3 [127.0.0.1]:53 [::1 [::1]x fe80::1%lo :53 127.0.0.1:53:53',
    ),
  ])('rejects %j with an example', (text) => {
    expect(parseServer(text)).toEqual({ ok: false, problem: expect.stringContaining('such as 127.0.0.1:53') });
  });
});

describe('parseStub', () => {
  it.each([
    ['test=127.0.0.1:5300', { zone: 'test', server: '127.0.0.1:5300' }],
    ['Inner.Test.=[::1]', { zone: 'inner.test', server: '[::1]:53' }],
    ['bücher.test=127.0.0.1', { zone: 'xn--bcher-kva.test', server: '127.0.0.1:53' }],
  ])('accepts %s', (text, value) => {
    expect(parseStub(text)).toEqual({ ok: true, value });
  });

  it.each(['', 'test', '=127.0.0.1', 'a b=127.0.0.1', 'test=', 'test=localhost:53'])('rejects %j', (text) => {
    expect(parseStub(text).ok).toBe(false);
  });
});

describe('parseRoute', () => {
  it.each([
    ['127.0.0.0/8=2525', { cidr: '127.0.0.0/8', port: 2525 }],
    ['127.0.20.1=25', { cidr: '127.0.20.1/32', port: 25 }],
    ['10.1.0.0/16=25', { cidr: '10.1.0.0/16', port: 25 }],
    ['172.16.0.0/12=25', { cidr: '172.16.0.0/12', port: 25 }],
    ['192.168.1.0/24=25', { cidr: '192.168.1.0/24', port: 25 }],
    ['::1=2525', { cidr: '::1/128', port: 2525 }],
    ['127.53.7.0/24=127.0.0.1:2525', { cidr: '127.53.7.0/24', ip: '127.0.0.1', port: 2525 }],
    ['10.1.0.0/16=127.0.0.9:25', { cidr: '10.1.0.0/16', ip: '127.0.0.9', port: 25 }],
    ['::1=[0:0::1]:2525', { cidr: '::1/128', ip: '::1', port: 2525 }],
  ])('accepts %s', (text, value) => {
    expect(parseRoute(text)).toEqual({ ok: true, value });
  });

  it.each(
    words(
      '0.0.0.0/0=25 127.0.0.0/7=25 8.8.8.8/32=25 172.32.0.0/12=25 192.168.0.0/15=25 169.254.0.0/16=25 ::/0=25 fd00::/8=25 ::ffff:127.0.0.1/128=25',
    ),
  )('rejects %s: neither loopback nor RFC 1918', (text) => {
    expect(parseRoute(text)).toEqual({ ok: false, problem: expect.stringContaining('a route must lie within') });
  });

  it.each(words('10.0.0.0/8=192.0.2.1:25 10.0.0.0/8=10.0.0.1:25 10.0.0.0/8=[::1]:25 ::1=127.0.0.1:25'))(
    'rejects %s: it would leave this machine, or the family',
    (text) => {
      expect(parseRoute(text)).toEqual({ ok: false, problem: expect.stringContaining('a loopback address') });
    },
  );

  it.each([
    '',
    ...words(
      '127.0.0.0/8 127.0.0.0/8= 127.0.0.0/8=0 127.0.0.0/33=25 127.0.0.0/x=25 127.1/8=25 127=25 127.0.0.0/8=25=26',
    ),
    ...words('10.0.0.0/8=127.0.0.1 10.0.0.0/8=127.0.0.1: 10.0.0.0/8=localhost:25 10.0.0.0/8=127.0.0.1:0 ::1=::1:25'),
  ])('rejects %j with an example', (text) => {
    expect(parseRoute(text)).toEqual({ ok: false, problem: expect.stringContaining('such as 127.0.0.0/8=2525') });
  });
});

describe('parseEgress', () => {
  it.each([
    ['192.0.2.1=Probe1.Example.COM', { ip: '192.0.2.1', heloName: 'probe1.example.com' }],
    ['2001:db8::1=probe.example.com', { ip: '2001:db8::1', heloName: 'probe.example.com' }],
    ['default=probe.example.com.', { ip: null, heloName: 'probe.example.com' }],
  ])('accepts %s', (text, value) => {
    expect(parseEgress(text)).toEqual({ ok: true, value });
  });

  it.each([
    '',
    'probe.example.com',
    '192.0.2.1=',
    '=probe.example.com',
    '192.0.2.1=a b',
    '192.0.2.1=localhost',
    '192.0.2.1=x\r\nQUIT',
    'host=probe.example.com',
  ])('rejects %j', (text) => {
    expect(parseEgress(text).ok).toBe(false);
  });
});
