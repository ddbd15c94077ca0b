import { describe, expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { classify } from './classify.ts';

const read = (raw: string) => classify('rcpt', rawReply(raw), { local: 'user', domain: 'example.com' });
const words = (text: string): string[] => text.split('|').map((word) => word.trim());

describe('a throttle is not a full mailbox', () => {
  test.each([
    '432 4.3.2 STOREDRV.Deliver; recipient thread limit exceeded',
    '432 4.2.0 STOREDRV.Deliver; recipient thread limit exceeded',
    '432 4.3.2 Recipient not available; mailbox server thread limit exceeded',
    '432 4.3.2 STOREDRV; mailbox server is too busy',
    '432 4.3.2 STOREDRV.Deliver; dynamic mailbox database throttling limit exceeded',
    '432 4.3.2 mailbox connection limit exceeded',
    '450 4.2.2 try again later',
    '450 4.2.2 mailbox is busy',
    '452 4.5.3 too many messages to this recipient',
    '451 4.3.2 trop de messages pour cet utilisateur, réessayez plus tard',
    '450 4.2.1 account is receiving too many messages',
    '450 4.2.2 túl sok címzett',
    '450 4.2.2 יותר מדי חיבורים',
    '450 4.2.2 มีการเชื่อมต่อมากเกินไป',
  ])('%s', (raw) => {
    expect(read(raw)).toMatchObject({ meaning: 'deferred', deferral: { cause: 'busy' } });
  });
});

const OF_SENDING =
  words(`sending quota exceeded|quota of sending exceeded|quota for outgoing mail exceeded|Sendekontingent überschritten|
  Quota für den Versand überschritten|quota d'envoi dépassé|cuota de envío excedida|cuota de envíos superada|
  cota de envio excedida|quota di invio superata|quotum voor verzending overschreden|квота отправки превышена|
  превышена квота на отправку|квота надсилання перевищена|limit wysyłania przekroczony|
  kvóta pro odesílání překročena|sändningskvot överskriden|afsendelseskvote overskredet|lähetyskiintiö ylitetty|
  gönderim kotası aşıldı|küldési kvóta túllépve|cota de trimitere depășită|发送配额已超出|超出发送配额|寄信配額已滿|
  Sändgräns överskriden|outgoing message quota reached|quota di posta in uscita superata|تم تجاوز حصة الإرسال|
  送信容量を超過|발신 용량 초과|โควตาการส่งเกิน|account has exceeded its outgoing mail limit|account has sent too many messages|
  too many messages sent from this account|submission quota exceeded|SMTP quota exceeded|
  Das Konto hat zu viele Nachrichten gesendet|quota d'expédition dépassé|
  la cuenta excedió el límite de correo saliente|quotum voor uitgaande berichten bereikt|
  przekroczono limit wiadomości wychodzących|překročena kvóta odchozích zpráv|квота отправленных писем превышена|
  ліміт відправки вичерпано|квота за изпращане превишена|kvoten för utgående post är överskriden|
  lähetettyjen viestien kiintiö täynnä|giden posta kotası aşıldı|cota de mesaje de ieșire depășită|
  όριο εξερχόμενων μηνυμάτων υπερέβη|kvota slanja prekoračena|kuota surat keluar terlampaui|
  tài khoản vượt quá giới hạn gửi|חשבון חרג ממכסת השליחה|تم تجاوز حصة البريد الصادر|邮箱外发容量已满|邮箱已超出发信限额|
  โควตาส่งอีเมลเต็ม|gönderilen ileti kotası doldu|kvota poslanih sporočil presežena|보내기 할당량 초과|
  보낼 수 있는 메일 한도를 초과했습니다|You have used up your message allowance for today|you sent too much mail today`);

describe('a sending quota is not about the mailbox', () => {
  test.each(OF_SENDING)('%s', (said) => {
    for (const code of ['552', '552 5.2.2', '452', '452 4.2.2'])
      expect(read(`${code} ${said}`).meaning, code).not.toBe('mailbox_full');
  });

  test.each(['mailbox quota exceeded, sending failed', 'quota of mailbox exceeded, message not sent'])(
    'but this is: %s',
    (said) => {
      expect(read(`552 ${said}`).meaning).toBe('mailbox_full');
    },
  );
});

const OF_A_COMMAND =
  words(`Command unknown|no such command|unknown RCPT command|RCPT command not recognized|Unknown verb|Befehl unbekannt|
  RCPT-Befehl unbekannt|Kommando unbekannt|commande RCPT inconnue|comando RCPT desconocido|comando não reconhecido|
  comando sconosciuto|onbekende opdracht|nieznane polecenie|neznámý příkaz|неизвестная команда RCPT|okänt kommando|
  tuntematon komento|bilinmeyen komut|ismeretlen parancs|comandă necunoscută|Άγνωστη εντολή|未知命令|命令不存在|不明なコマンド|
  orden desconocida|lệnh không tồn tại|الأمر غير موجود|존재하지 않는 명령|unknown RCPT|RCPT not recognised|RCPT TO unknown|
  Command not recognized: RCPT|Unknown keyword RCPT|RCPT not implemented|Syntax error in RCPT|RCPT is disabled|
  This server does not know RCPT|Never heard of RCPT|Syntax: RCPT TO:<address>|Syntax error in RCPT command|
  verbo desconocido|bad sequence of commands|command not implemented|syntax error in command|RCPT unbekannt|
  RCPT inconnu|RCPT неизвестна|no existe el comando RCPT`);

describe('a reply that does not know the command calls no mailbox dead', () => {
  test.each(OF_A_COMMAND)('%s', (said) => {
    for (const code of ['500', '502', '503', '550', '550 5.1.1', '554 5.5.1 <user@example.com>:'])
      expect(read(`${code} ${said}`).meaning, code).not.toMatch(/no_such_mailbox|relay_denied/);
  });

  test.each(['unknown recipient', 'recipient unknown', 'RCPT TO:<user@example.com> unknown', 'rcpt unknown'])(
    'but this does: %s',
    (said) => {
      expect(read(`550 ${said}`).meaning).toBe('no_such_mailbox');
    },
  );
});
