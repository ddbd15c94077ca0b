import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ENROLMENT_FILE, machineSettings } from './machine-settings.ts';

it('a manual command without ENROLMENT gets the unit’s settings, quoted or not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rcpt-settings-'));
  try {
    const file = join(folder, 'rcpt-prober.env');
    const lines = [
      '# a comment',
      'EGRESS=192.0.2.1=a.example.com, 192.0.2.2=b.example.com',
      'STUB="test=127.0.0.1, inner.test=127.0.0.2"',
      'DNS=127.0.0.1\r',
      'MAIL_FROM=a@example.com  ',
    ];
    writeFileSync(file, lines.join('\n'));
    expect(machineSettings({ MAIL_FROM: 'b@example.com' }, file)).toEqual({
      ENROLMENT: ENROLMENT_FILE,
      EGRESS: '192.0.2.1=a.example.com, 192.0.2.2=b.example.com',
      STUB: 'test=127.0.0.1, inner.test=127.0.0.2',
      DNS: '127.0.0.1',
      MAIL_FROM: 'b@example.com',
    });
    expect(machineSettings({ ENROLMENT: 'x' }, file)).toEqual({ ENROLMENT: 'x' });
    expect(machineSettings({}, join(folder, 'none'))).toEqual({ ENROLMENT: ENROLMENT_FILE });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
