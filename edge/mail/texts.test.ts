import { expect, test } from 'vitest';
import { invitationMail } from './texts.ts';

test('an invitation has a fixed subject, and names the person who invites in its body', () => {
  const mails = ['ann@x.test', 'you.won/claim-it@evil.example'].map((inviter) =>
    invitationMail('https://verify.test', 'bob@x.test', 'TOKEN', inviter),
  );
  expect(mails.map(({ subject }) => subject)).toEqual(Array(2).fill('Invitation to verify.test'));
  expect(mails.map(({ text }) => text.split('\n')[0])).toEqual([
    'ann@x.test invited you to share an account on verify.test.',
    'you.won/claim-it@evil.example invited you to share an account on verify.test.',
  ]);
});
