import { describe, expect, test } from 'vitest';
import { rawReply } from '../../testing/raw-reply.ts';
import { classify } from './classify.ts';

const read = (raw: string) => classify('rcpt', rawReply(raw), { local: 'user', domain: 'example.com' });

describe('a throttle of Exchange is no full mailbox', () => {
  test.each([
    '432 4.3.2 STOREDRV.Deliver; recipient thread limit exceeded',
    '432 4.2.0 STOREDRV.Deliver; recipient thread limit exceeded',
    '432 4.3.2 Recipient not available; mailbox server thread limit exceeded',
    '432 4.3.2 STOREDRV; mailbox server is too busy',
    '432 4.3.2 STOREDRV.Deliver; dynamic mailbox database throttling limit exceeded',
    '432 4.3.2 mailbox connection limit exceeded',
  ])('%s', (raw) => {
    expect(read(raw)).toMatchObject({ meaning: 'deferred', deferral: { cause: 'busy' } });
  });
});

describe('a quota of sending is none of the mailbox', () => {
  test.each([
    'sending quota exceeded',
    'quota of sending exceeded',
    'quota for outgoing mail exceeded',
    'Sendekontingent überschritten',
    'Quota für den Versand überschritten',
    "quota d'envoi dépassé",
    'cuota de envío excedida',
    'cuota de envíos superada',
    'cota de envio excedida',
    'quota di invio superata',
    'quotum voor verzending overschreden',
    'квота отправки превышена',
    'превышена квота на отправку',
    'квота надсилання перевищена',
    'limit wysyłania przekroczony',
    'kvóta pro odesílání překročena',
    'sändningskvot överskriden',
    'afsendelseskvote overskredet',
    'lähetyskiintiö ylitetty',
    'gönderim kotası aşıldı',
    'küldési kvóta túllépve',
    'cota de trimitere depășită',
    '发送配额已超出',
    '超出发送配额',
    '寄信配額已滿',
    'Sändgräns överskriden',
    'outgoing message quota reached',
    'quota di posta in uscita superata',
    'تم تجاوز حصة الإرسال',
    '送信容量を超過',
    '발신 용량 초과',
  ])('%s', (words) => {
    for (const code of ['552', '552 5.2.2', '452', '452 4.2.2'])
      expect(read(`${code} ${words}`).meaning, code).not.toBe('mailbox_full');
  });
});

describe('a reply that does not know the command makes nobody dead', () => {
  test.each([
    'Command unknown',
    'no such command',
    'unknown RCPT command',
    'RCPT command not recognized',
    'Unknown verb',
    'Befehl unbekannt',
    'RCPT-Befehl unbekannt',
    'Kommando unbekannt',
    'commande RCPT inconnue',
    'comando RCPT desconocido',
    'comando não reconhecido',
    'comando sconosciuto',
    'onbekende opdracht',
    'nieznane polecenie',
    'neznámý příkaz',
    'неизвестная команда RCPT',
    'okänt kommando',
    'tuntematon komento',
    'bilinmeyen komut',
    'ismeretlen parancs',
    'comandă necunoscută',
    'Άγνωστη εντολή',
    '未知命令',
    '命令不存在',
    '不明なコマンド',
    'orden desconocida',
    'lệnh không tồn tại',
    'الأمر غير موجود',
    '존재하지 않는 명령',
  ])('%s', (words) => {
    for (const code of ['550', '550 5.1.1', '554 5.5.1 <user@example.com>:'])
      expect(read(`${code} ${words}`).meaning, code).not.toMatch(/no_such_mailbox|relay_denied/);
  });
});
