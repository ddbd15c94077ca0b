// Domains under which Microsoft hands out consumer mailboxes. Facts that change slowly; one line a brand, its endings in order.

const ENDINGS: Readonly<Record<string, string>> = {
  hotmail:
    'com co.uk co.id co.il co.in co.jp co.kr co.nz co.th co.za com.ar com.au com.br com.hk com.mx com.my com.ph com.sg com.tr com.tw com.vn at be bg ca ch cl cz de dk ee es fi fr gr hk hr hu ie it jp lt lu lv my nl no ph pt ro rs ru se sg si sk',
  outlook:
    'com co.id co.il co.in co.nz co.th co.za com.ar com.au com.br com.gr com.hr com.mx com.pe com.py com.tr com.tw com.ua com.vn at be bg bz ca ch cl cm cz de dk ec es fi fr hn hr hu ie in it jp kr la lt lv my ph pt ro sa sg si sk uy',
  live: 'com co.in co.kr co.uk co.za com.ar com.au com.mx com.my com.ph com.pk com.pt com.sg com.ve at be ca cl cn de dk fi fr hk ie in it jp nl no ph pt ru se',
  msn: 'com',
  passport: 'com',
  windowslive: 'com',
};

/** Every domain above. */
export const MICROSOFT_CONSUMER_DOMAINS: readonly string[] = Object.entries(ENDINGS).flatMap(([brand, endings]) =>
  endings.split(' ').map((ending) => `${brand}.${ending}`),
);
