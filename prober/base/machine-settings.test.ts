import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { machineSettings, parseSettings } from './machine-settings.ts';

describe('parseSettings', () => {
  it('reads values with spaces and commas, quoted or not, as systemd does', () => {
    const text = [
      '# a comment',
      'EGRESS=192.0.2.1=a.example.com, 192.0.2.2=b.example.com',
      'PAGE_OPERATOR="Example GmbH, Berlin"',
      "PAGE_CONTACT='abuse@example.com'",
      '  MAIL_FROM = nobody',
      'DNS=127.0.0.1\r',
      'MAIL_FROM=verify@example.com  ',
      '; another',
    ].join('\n');
    expect(parseSettings(text)).toEqual({
      EGRESS: '192.0.2.1=a.example.com, 192.0.2.2=b.example.com',
      PAGE_OPERATOR: 'Example GmbH, Berlin',
      PAGE_CONTACT: 'abuse@example.com',
      DNS: '127.0.0.1',
      MAIL_FROM: 'verify@example.com',
    });
  });
});

describe('machineSettings', () => {
  it('are the unit’s for a command that is run by hand, and nobody’s with an ENROLMENT or without the file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rcpt-settings-'));
    try {
      const file = join(folder, 'rcpt-prober.env');
      writeFileSync(file, 'DNS=127.0.0.1\nMAIL_FROM=a@example.com\n');
      expect(machineSettings({ MAIL_FROM: 'b@example.com' }, file)).toEqual({
        ENROLMENT: '/etc/rcpt/enrolment.json',
        DNS: '127.0.0.1',
        MAIL_FROM: 'b@example.com',
      });
      expect(machineSettings({ ENROLMENT: 'x' }, file)).toEqual({ ENROLMENT: 'x' });
      expect(machineSettings({}, join(folder, 'none'))).toEqual({});
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
