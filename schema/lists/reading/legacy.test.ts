import { expect, test } from 'vitest';
import { encode } from '../testing/encode.ts';
import { legacyEncoding } from './legacy.ts';

const LISTS: ReadonlyArray<readonly [label: string, ...texts: readonly string[]]> = [
  [
    'windows-1252',
    'Müller',
    'NESTLÉ® Schweiz\nGroß…\n«CAFÉ»',
    'Société Générale, Françoise, à côté',
    'José Peña; Íñigo Núñez',
    'Søren Bjørn Ærø Pål',
    'Müller\nJosé\nSøren\nFrançoise\nGarção',
    'Città, perché, però',
    'Ärzte GmbH',
    'Straße 5 – 10 €',
    'L’été à Genève',
    'São João, Camões',
  ],
  [
    'windows-1250',
    'Łukasz Wójcik, Gdańsk',
    'Dvořák, Novák, Černý',
    'Jiří Šťastný Plzeň',
    'Erdős Győző, Szűcs Ödön',
    'Kovács Sándor, Budapest, Erdő',
    'Ion Ţepeş Braşov',
    'Müller, Łódź',
    'Ľubomír Štúr',
    'Đorđe Petrović Čačak',
  ],
  [
    'windows-1251',
    'Иван Петров; Москва',
    'ООО «Ромашка»',
    'МОСКВА',
    'Київ, Олексій',
    'София, ул. Шипка № 5',
    'Елена',
    'Сергей; Игорь; Олег',
  ],
  ['koi8-r', 'Иван Петров; Москва', 'Санкт-Петербург, Анна', 'ООО "Ромашка", Елена', 'Ёлкин Сергей', 'Сергей\nМОСКВА'],
  [
    'windows-1253',
    'Αθήνα, Γιώργος',
    'Παπαδόπουλος Νικήτας',
    'Θεσσαλονίκη; Νίκος',
    'ΕΛΛΑΣ, Μαρία',
    'Όνομα\nΕταιρεία «Ήλιος»',
    'Κώστας; Ελένη; Δημήτρης',
  ],
  [
    'windows-1254',
    'İstanbul, Ayşe Yıldız',
    'Çağlar Öztürk',
    'Beşiktaş, Gülşen Doğan',
    'Işık A.Ş.',
    'Müşteri adı\nMüller',
    'IĞDIR, Şırnak',
  ],
  ['macintosh', 'Jörg Müller, Nürnberg', 'André; José; Jürgen', 'Ångström, Björn, Søren'],
  ['ibm850', 'Jörg Müller, Köln', 'Größe\nÄrzte GmbH\nJürgen', 'Société Générale, François', 'José Peña', 'Müller'],
  ['ibm866', 'Иван Петров; Москва', 'Санкт-Петербург, Анна', 'ООО "Ромашка"'],
  ['iso-8859-2', 'Świątek, Wiśniewska', 'Źródło; Łódź', 'Šťastný, Žižkov, Novák'],
  ['windows-1257', 'Žemaitė, Vytautas Šaltūnas', 'Kārlis Bērziņš, Liepāja', 'Jānis Kalniņš'],
  ['windows-1255', 'ישראל ישראלי', 'שם;דואר אלקטרוני\nדוד כהן;תל אביב', 'משה לוי'],
  ['windows-1256', 'محمد أحمد', 'الاسم;البريد الإلكتروني\nفاطمة علي;دبي', 'شركة النور'],
  ['windows-874', 'สมชาย ใจดี', 'ชื่อ;อีเมล\nกรุงเทพมหานคร', 'บริษัท ไทย จำกัด'],
  ['euc-jp', '氏名,メールアドレス', 'さくら', '山田太郎、東京都の会社', '株式会社トヨタ'],
  [
    'gbk',
    '王小明 北京',
    '上海有限公司',
    '张伟,李娜,刘洋\n广东省深圳市',
    '阿里巴巴（中国）有限公司',
    '姓名;电子邮件;公司',
  ],
  ['big5', '王小明 台北市', '陳怡君, 林志明', '台灣積體電路製造股份有限公司', '姓名,電子郵件', '香港中環'],
  ['euc-kr', '김철수 서울', '이영희, 박지민', '이름,이메일,회사\n삼성전자 주식회사', '부산광역시'],
  [
    'shift_jis',
    '山田太郎 東京都',
    '氏名,メールアドレス',
    '株式会社トヨタ自動車',
    '鈴木 一郎；大阪府',
    'さくら',
    '田中',
  ],
];

test.each(LISTS)('%s is known by its words', (label, ...texts) => {
  expect(texts.map((text) => [text, legacyEncoding(encode(text, label))])).toEqual(texts.map((text) => [text, label]));
});

test('what is UTF-8 but for a byte is no other encoding', () => {
  const bytes = Buffer.concat([Buffer.from('Müller, José, Łódź, 王小明'), Buffer.from([0xe9, 0x0a])]);
  expect(legacyEncoding(bytes)).toBe('utf-8');
});
