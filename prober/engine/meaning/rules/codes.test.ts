import { describe, expect, test } from 'vitest';
import { readCodes } from './codes.ts';

describe('by itself', () => {
  test.each([521, 523, 530, 534, 535, 538])('%i is about us, unless the enhanced code names the mailbox', (code) => {
    expect([null, '5.2.1', '5.7.0'].map((status) => readCodes(code, status))).toEqual([
      'policy_rejected',
      'policy_rejected',
      'policy_rejected',
    ]);
    expect(readCodes(code, '5.1.1')).toBe('no_such_mailbox');
  });

  test.each([500, 501, 520, 522, 529, 531, 533, 536, 537, 539, 550, 551, 552, 553, 554, 555])(
    '%i means nothing, and its enhanced code decides',
    (code) => {
      expect([null, '5.2.1', '5.2.2', '5.7.1', '5.1.8'].map((status) => readCodes(code, status))).toEqual([
        null,
        'no_such_mailbox',
        'mailbox_full',
        'policy_rejected',
        'policy_rejected',
      ]);
    },
  );

  test('556 means nothing by itself: besides RFC 7504, servers use it for limits and client checks', () => {
    expect(readCodes(556, null)).toBeNull();
    expect(readCodes(556, '5.1.10')).toBe('no_such_mailbox');
  });
});
