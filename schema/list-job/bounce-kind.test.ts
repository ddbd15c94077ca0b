import { expect, test } from 'vitest';
import { kindReader } from './bounce-kind.ts';

/** What is said of the rows of an export whose first line names its columns. */
const kindsOf = (text: string): readonly string[] => {
  const [names = [], ...rows] = text.split('\n').map((line) => line.split('|'));
  return rows.map(kindReader(names, true, rows));
};
const SHORT = { h: 'hard', s: 'soft', u: 'unspecified', n: 'no bounce' } as const;

test.each([
  ['Mailchimp', 'Email Address|First Name|Bounce Type\na|Hard|hard\na|Soft|soft\na|Hard|syntax\na|Soft|', 'hshu'],
  ['Mailchimp, cleaned', 'Email Address|CLEAN_TIME|CLEAN_CAMPAIGN_TITLE\na|2026-11-01 10:00:00|Hard sale', 'u'],
  [
    'SendGrid, bounces',
    'status|reason|email|created\n5.1.1|550 5.1.1 no such user|a|1\n4.2.2|452 4.2.2 full|a|1\n5.0.0||a|1\n|451 try later|a|1\n|unable to get mx info|a|1',
    'hshsu',
  ],
  [
    'SendGrid, events',
    'email|event|type|status|reason\na|bounce|bounce|5.1.1|550\na|bounce|blocked|5.7.1|550 blocked\na|delivered|||\na|deferred||4.2.1|450 busy\na|open|||\na|dropped|||Bounced Address',
    'hsnnnn',
  ],
  [
    'Amazon SES, as CSV',
    'emailAddress|bounceType|bounceSubType|status|diagnosticCode\na|Permanent|General|5.1.1|smtp; 550\na|Transient|MailboxFull|5.2.2|smtp; 552 5.2.2 full\na|Undetermined|Undetermined||\na|Undetermined||5.4.4|',
    'hsuh',
  ],
  ['Amazon SES, suppressed', 'EmailAddress|Reason|LastUpdateTime\na|BOUNCE|2026\na|COMPLAINT|2026', 'un'],
  [
    'Postmark',
    'ID|Type|TypeCode|Name|MessageID|Description|Details|Email|From|BouncedAt|Inactive\n7|HardBounce|1|Hard bounce|550|gone|smtp;550 5.1.1|a|b|2026|true\n7|SoftBounce|4096|Soft bounce||||a|b||\n7|Transient|2|||||a|b||\n7|BadEmailAddress|100000|||||a|b||\n7|SpamNotification|512|||||a|b||\n7|AutoResponder|32|||||a|b||\n7|Unknown|8192|||smtp;454 4.7.1 later||a|b||\n7|SpamComplaint|100001|||||a|b||',
    'hsshsnsn',
  ],
  [
    'Brevo',
    'st_text|ts|sub|frm|email|tag|mid|link\nHard bounce|26-11|550 reasons|b|a||<550>|\nSoft bounced||s|b|a|||\nInvalid email||s|b|a|||\nDelivered||s|b|a|||\nFirst opening||s|b|a|||\nDeferred||s|b|a|||\nBlocked||s|b|a|||',
    'hshnnns',
  ],
  [
    'HubSpot, bounces and unsubscribes',
    'Email|Portal Bounce|Portal Unsubscribe|Portal Spam Report|Global Bounce|Marketing Information\na|TRUE|FALSE|FALSE|FALSE|FALSE\na|UNKNOWN_USER|||FALSE|\na|FALSE|TRUE|FALSE|FALSE|TRUE\na||||TRUE|\na||TRUE|||TRUE',
    'hhnhn',
  ],
  [
    'HubSpot, contacts and recipients',
    'Email|Email hard bounce reason|Soft bounced|Bounced\na|MAILBOX_FULL||TRUE\na||1|TRUE\na||0|2026-11-01\na|||\na|||FALSE',
    'hsunn',
  ],
  [
    'HubSpot, events',
    'recipient|type|category|status|response\na|BOUNCE|UNKNOWN_USER|5.1.1|550 5.1.1\na|BOUNCE|POLICY||',
    'hu',
  ],
  ['Mailgun', 'address|code|error|created_at\na|550|No such mailbox|1\na|452||1\na|||1', 'hsu'],
  [
    'Mailgun, events',
    'recipient|event|severity|delivery-status\na|failed|permanent|{"code":550}\na|failed|temporary|{}\na|failed||{"code":498,"message":"x"}\na|accepted||',
    'hsun',
  ],
  [
    'Salesforce',
    'EmailAddress|EventType|BounceCategory|SMTPCode|BounceReason\na|Bounce|Hard bounce|550|x\na|Bounce|Block bounce|571|x\na|Bounce|Unknown bounce|452|x',
    'hss',
  ],
  ['one in German', 'E-Mail|Art\na|Dauerhaft\na|temporär\na|?', 'hsu'],
  ['CleverReach', 'E-Mail|Bounce-Typ|Grund\na|Hardbounce|voll\na|Softbounce|550 unbekannt\na||', 'hsu'],
  ['one in French', 'E-mail|Type de rebond\na|Rebond définitif\na|Rebond temporaire\na|Permanent\na|', 'hshu'],
  ['one in Italian', 'Email|Tipo di bounce|Motivo\na|Hard|x\na|Soft|550 x\na||', 'hsu'],
  ['one in Spanish', 'Correo|Tipo de rebote|Razón del rebote\na|Duro|x\na|Suave|x\na||550 x', 'hsh'],
  ['all mails in Spanish', 'Correo|Estado\na|Rebote permanente\na|Rebote temporal\na|Entregado\na|Abierto', 'hsnn'],
  ['all mails in Italian', 'Email|Stato|Tipo\na|Rimbalzato|Hard\na|Consegnato|\na|Aperta|', 'hnn'],
  ['all mails in French', 'E-mail|Statut\na|Erreur permanente\na|Erreur temporaire\na|Délivré\na|Ouvert', 'hsnn'],
  ['all mails in German', 'E-Mail|Status\na|Hardbounce\na|Zugestellt\na|Geöffnet\na|Abgemeldet', 'hnnn'],
  ['one in Dutch', 'E-mail|Bouncetype|Reden\na|Hard|x\na|Zacht|550 x', 'hs'],
  ['one in Portuguese', 'E-mail|Tipo de rejeição\na|Permanente\na|Temporária', 'hs'],
  [
    'postfix logs',
    'email|dsn|status|message\na|5.1.1|bounced|host mx.x.test[5.1.1.1] said: 550 no\na|4.4.1|bounced|\na||bounced|host [4.2.2.1] version 5.1.1.2',
    'hsu',
  ],
  ['Mailjet', 'Email|State\na|hardbounced\na|softbounced\na|blocked\na|opened', 'hssn'],
  ['GetResponse', 'Email|Bounce type\na|Hard bounce - unknown user\na|Soft bounce (mailbox full)', 'hs'],
  ['Constant Contact', 'Email|Bounce category\na|Non-existent address\na|Undeliverable\na|Vacation/Auto-Reply', 'huu'],
  ['SparkPost', 'rcpt_to|bounce_class|error_code|reason\na|10|550|550 5.1.1 x\na|20||451 4.7.1 x\na|1||', 'hsu'],
  [
    'Mandrill',
    'Email|Status|Bounce Description\na|hard-bounced|bad_mailbox\na|soft-bounced|mailbox_full\na|bounced|',
    'hsu',
  ],
  ['ActiveCampaign', 'Email|Hard Bounces|Soft Bounces|Bounce count\na|1|0|1\na|0|2|2\na|0|0|0\na|||1', 'hsnu'],
  ['Klaviyo, in Spanish', 'Correo electrónico|Tipo\na|Rebote duro\na|Rebote suave', 'hs'],
  ['MailerLite, all subscribers', 'Email|Status\na|Active\na|Bounced\na|Unconfirmed\na|Junk\na|', 'nunnu'],
  [
    'one in German, all mails',
    'E-Mail|Status|Meldung\na|Zugestellt|\na|Bounce|550 unbekannt\na|Fehler: Bounce|',
    'nhu',
  ],
  ['one whose words are all its own', 'Email|Status\na|Cleaned\na|Kaputt', 'uu'],
  ['a customer', 'Email|Postal code|Employment type|Area code|Contact status\na|55012|Permanent|510|Invalid', 'u'],
  ['our own columns', 'email|rcpt_status|rcpt_smtp_code|rcpt_smtp_enhanced_code|Reason\na|invalid|550|5.1.1|', 'u'],
  [
    'a greeting of words',
    'email|Response\na|This is not a hard bounce\na|250 2.0.0 OK\na|Message size exceeds 500 KB',
    'unu',
  ],
])('%s', (_tool, text, said) => {
  expect(kindsOf(text)).toEqual(
    Array.from(said, (letter) => Object.entries(SHORT).find(([key]) => key === letter)?.[1]),
  );
});

test('in a list without names any cell may say it', () => {
  const kindOf = kindReader(['column_1', 'column_2'], false, []);
  expect([['a@x.test', '550 5.1.1 gone'], ['soft', 'a@x.test'], ['a@x.test']].map(kindOf)).toEqual([
    'hard',
    'soft',
    'unspecified',
  ]);
});
