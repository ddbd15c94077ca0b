import { describe, expect, it } from 'vitest';
import { ownHelo } from './own-helo.ts';

describe('ownHelo', () => {
  it("is the machine's name if that is fully qualified", () => {
    expect(ownHelo('Probe1.Example.com', ['192.0.2.1'])).toEqual({
      heloName: 'probe1.example.com',
      mailDomain: 'probe1.example.com',
    });
  });

  it('is an address literal if the name has no dot, which servers reject', () => {
    expect(ownHelo('laptop', ['192.0.2.1'])).toEqual({ heloName: '[192.0.2.1]', mailDomain: 'laptop' });
  });

  it('is loopback on a machine without a network', () => {
    expect(ownHelo('laptop', []).heloName).toBe('[127.0.0.1]');
  });

  it('never repeats an invalid name', () => {
    expect(ownHelo('bad name\r\nRSET', [])).toEqual({ heloName: '[127.0.0.1]', mailDomain: 'localhost' });
  });
});
