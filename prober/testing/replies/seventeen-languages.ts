/** Phrases of servers and hosters in one language, three for each meaning of a reply, and pages that use them. */
export type Phrasebook = {
  readonly language: string;
  readonly noSuch: readonly string[];
  readonly disabled: readonly string[];
  readonly full: readonly string[];
  readonly later: readonly string[];
  readonly refused: readonly string[];
  readonly sources: readonly string[];
};

// The pages translate or explain replies. Their sentences are shortened here to a server's reply.
const GMAIL = 'knowledge.workspace.google.com/admin/support/troubleshooting/gmail-smtp-errors-and-codes';
const GODADDY = 'godaddy.com/help/3568';
const BLUEMAIL = 'bluemail.help/*/smtp-error-codes';
const CAMPAIGN = 'experienceleague.adobe.com, Deliverability: examples of bounces';

/** The most common phrases of seventeen languages. */
export const PHRASEBOOKS: readonly Phrasebook[] = [
  {
    language: 'German',
    noSuch: [
      'Empfänger unbekannt, Adresse existiert nicht',
      'Benutzer nicht bekannt',
      'Es gibt keine Person mit diesem Namen unter dieser Adresse',
    ],
    disabled: [
      'Das Postfach des Empfängers ist deaktiviert',
      'Das Konto wurde gesperrt',
      'Diese Adresse ist nicht mehr verfügbar',
    ],
    full: [
      'Das Postfach des Empfängers ist voll',
      'Benutzer hat das Speichervolumen überschritten',
      'Speicherplatz des Kontos überschritten',
    ],
    later: [
      'Vorübergehender Fehler, bitte später erneut versuchen',
      'Server ist ausgelastet, versuchen Sie es später noch einmal',
      'Greylisting aktiv, bitte in 5 Minuten wiederkommen',
    ],
    refused: [
      'Ihre IP-Adresse ist auf einer Sperrliste',
      'E-Mails von Ihrer IP-Adresse werden blockiert',
      'Nachricht als Spam eingestuft und abgelehnt',
    ],
    sources: ['sitepackage.de', 'bytecamp.net/de/faq/email/zustellen.html', 'mail.fr/de/hilfe', GMAIL],
  },
  {
    language: 'French',
    noSuch: [
      "L'utilisateur est inconnu",
      "Adresse d'au moins un destinataire invalide",
      "Le compte de messagerie que vous avez essayé de contacter n'existe pas",
    ],
    disabled: [
      'Le compte du destinataire est bloqué',
      'Boîte aux lettres inactive depuis plus de 6 mois',
      'Le compte est désactivé',
    ],
    full: [
      'Boîte du destinataire pleine',
      'La boîte de réception du destinataire est saturée',
      'Le destinataire a dépassé son quota',
    ],
    later: [
      'Service temporairement indisponible, veuillez réessayer plus tard',
      'Votre serveur est sur liste grise, réessayez dans 5 minutes',
      'Erreur temporaire, merci de patienter',
    ],
    refused: [
      'Adresse IP source bloquée pour incident de spam',
      'Votre serveur est sur liste noire',
      'Adresse de l’expéditeur refusée',
    ],
    sources: ['postmaster.orange.fr', 'postmaster.laposte.net', GMAIL, CAMPAIGN],
  },
  {
    language: 'Spanish',
    noSuch: [
      'El usuario es desconocido',
      'La cuenta de correo a la que intentas acceder no existe',
      'No existe ningún buzón con ese nombre',
    ],
    disabled: [
      'Buzón inactivo durante más de 6 meses',
      'La cuenta está inhabilitada',
      'El usuario ha sido dado de baja',
    ],
    full: [
      'Buzón lleno',
      'Superación de la cuota de usuario',
      'La bandeja de entrada del destinatario no tiene espacio',
    ],
    later: [
      'Servicio no disponible temporalmente, inténtelo más tarde',
      'Lista gris, vuelva a intentarlo en 5 minutos',
      'Error temporal del servidor',
    ],
    refused: [
      'Su dirección IP está en una lista negra',
      'El remitente ha sido rechazado',
      'Mensaje rechazado por política de seguridad',
    ],
    sources: [GMAIL, CAMPAIGN, 'emailit.com/es/docs'],
  },
  {
    language: 'Portuguese',
    noSuch: ['Usuário desconhecido', 'A conta de e-mail não existe', 'Destinatário inexistente neste servidor'],
    disabled: ['Caixa postal inativa', 'Conta desativada', 'Conta suspensa pelo administrador'],
    full: ['Caixa postal cheia', 'Cota do usuário excedida', 'A caixa de entrada do destinatário está sem espaço'],
    later: [
      'Serviço temporariamente indisponível, tente novamente mais tarde',
      'Lista cinza, tente novamente em 5 minutos',
      'Erro temporário',
    ],
    refused: ['Seu endereço IP está em uma lista negra', 'Remetente rejeitado', 'Conexão recusada por reputação'],
    sources: [GMAIL, 'ajuda.locaweb.com.br', 'ajuda.uol.com.br'],
  },
  {
    language: 'Italian',
    noSuch: [
      'Utente sconosciuto',
      "L'account email che hai cercato di raggiungere non esiste",
      'Destinatario inesistente',
    ],
    disabled: ['Casella disabilitata', "L'utente è stato sospeso", 'La casella è stata chiusa'],
    full: ['La casella del destinatario è piena', 'Quota superata', 'Spazio della casella esaurito'],
    later: [
      'Servizio temporaneamente non disponibile, riprovare più tardi',
      'Lista grigia, riprova tra 5 minuti',
      'Errore temporaneo',
    ],
    refused: [
      'Il tuo indirizzo IP è in una lista nera',
      'Mittente rifiutato',
      'Connessione rifiutata: reputazione troppo bassa',
    ],
    sources: [GMAIL, 'guide.hosting.aruba.it', 'emailit.com/it/docs'],
  },
  {
    language: 'Dutch',
    noSuch: ['Gebruiker onbekend', 'Het e-mailadres bestaat niet', 'De mailbox van de ontvanger bestaat niet meer'],
    disabled: ['Account is uitgeschakeld', 'De mailbox is opgeheven', 'Dit account is geblokkeerd'],
    full: ['De mailbox van de ontvanger is vol', 'Quotum overschreden', 'De postbus is vol'],
    later: [
      'Dienst tijdelijk niet beschikbaar, probeer het later nogmaals',
      'Greylisting, probeer het over 5 minuten opnieuw',
      'Tijdelijke fout',
    ],
    refused: ['Uw IP-adres staat op een zwarte lijst', 'Afzender geweigerd', 'Uw mailserver is geblokkeerd'],
    sources: [
      'exedo.nl/mailmeldingen',
      'forum.lasso-concepten.nl/t/foutmeldingen-bij-e-mail/154',
      'weboke.nl',
      BLUEMAIL,
    ],
  },
  {
    language: 'Polish',
    noSuch: ['Nie ma takiego użytkownika', 'Nie ma takiej skrzynki', 'Konto odbiorcy nie istnieje'],
    disabled: ['Nieaktywna skrzynka pocztowa', 'Konto zostało zawieszone', 'Konto zostało zablokowane'],
    full: ['Skrzynka odbiorcy jest przepełniona', 'Przekroczona powierzchnia skrzynki odbiorczej', 'Skrzynka pełna'],
    later: [
      'Usługa tymczasowo niedostępna, spróbuj ponownie później',
      'Szara lista, spróbuj ponownie za 5 minut',
      'Błąd tymczasowy',
    ],
    refused: [
      'Twój adres IP jest na czarnej liście',
      'Nadawca odrzucony',
      'Połączenie odrzucone z powodu niskiej reputacji',
    ],
    sources: ['support.konto.pl/kb/a2286', 'sare.pl/baza-wiedzy', 'pomoc.poczta.interia.pl', BLUEMAIL],
  },
  {
    language: 'Czech',
    noSuch: ['Uživatel neexistuje', 'Adresát nebyl nalezen', 'Schránka příjemce neexistuje'],
    disabled: ['Schránka je deaktivovaná', 'Účet byl zrušen', 'Schránka byla zablokována'],
    full: ['Schránka příjemce je přeplněná', 'Plná schránka', 'Kvóta schránky byla překročena'],
    later: ['Služba dočasně nedostupná, zkuste to později', 'Greylisting, zkuste to znovu za 5 minut', 'Dočasná chyba'],
    refused: ['Vaše IP adresa je na černé listině', 'Odesílatel odmítnut', 'Spojení z vašeho serveru bylo odmítnuto'],
    sources: ['napoveda.seznam.cz/uzivatel-neexistuje', 'wiki.aspone.cz', 'emailit.com/cs/docs', BLUEMAIL],
  },
  {
    language: 'Russian',
    noSuch: ['Пользователь не найден', 'Почтовый ящик не найден', 'Такого получателя не существует'],
    disabled: ['Почтовый ящик заблокирован', 'Аккаунт отключен', 'Учётная запись удалена'],
    full: ['Почтовый ящик переполнен', 'Превышена квота', 'В ящике получателя недостаточно места'],
    later: [
      'Сервис временно недоступен, повторите попытку позже',
      'Серый список, попробуйте через 5 минут',
      'Временная ошибка',
    ],
    refused: ['Ваш IP-адрес находится в чёрном списке', 'Адрес отправителя отклонён', 'Письмо отклонено как спам'],
    sources: [GMAIL, 'help.mail.ru/mail/faq', 'yandex.ru/support/mail'],
  },
  {
    language: 'Turkish',
    noSuch: ['Böyle bir kullanıcı yok', 'Bu adreste böyle bir alıcı yoktur', 'Kullanıcı bulunamadı'],
    disabled: ['Hesap devre dışı bırakıldı', 'Hesap askıya alındı', 'Posta kutusu kapatıldı'],
    full: ['Kullanıcının posta kutusu dolu', 'Alıcının kotası dolu', 'Posta kutusu kotası aşıldı'],
    later: [
      'Hizmet geçici olarak kullanılamıyor, daha sonra tekrar deneyiniz',
      'Gri liste, 5 dakika sonra tekrar deneyin',
      'Geçici hata',
    ],
    refused: ['IP adresiniz kara listede', 'Gönderici reddedildi', 'Bağlantınız engellendi'],
    sources: ['backlink.name/blog/smtp-550-hata-kodu-ayrintilari', 'destek.sh.com.tr', 'hostixo.com/bilgi-bankasi'],
  },
  {
    language: 'Swedish',
    noSuch: ['Användaren är okänd', 'Kontot finns inte', 'Mottagaren hittades inte'],
    disabled: ['Kontot är inaktivt', 'Kontot har inaktiverats', 'Inaktiv postlåda'],
    full: ['Mottagarens inkorg har slut på lagringsutrymme', 'Användarkvoten har överskridits', 'Postlådan är full'],
    later: [
      'Servern tillfälligt otillgänglig, försök igen senare',
      'Grålistad, försök igen om 5 minuter',
      'Tillfälligt fel',
    ],
    refused: ['Din IP-adress är svartlistad', 'Avsändaren avvisades', 'Anslutningen från din server nekades'],
    sources: ['se.godaddy.com/help/3568 and 40685', GMAIL, CAMPAIGN],
  },
  {
    language: 'Greek',
    noSuch: ['Ο χρήστης δεν υπάρχει', 'Το γραμματοκιβώτιο του χρήστη δεν βρέθηκε', 'Άγνωστος παραλήπτης'],
    disabled: ['Ο λογαριασμός είναι ανενεργός', 'Ο λογαριασμός έχει απενεργοποιηθεί', 'Ο λογαριασμός έχει ανασταλεί'],
    full: [
      'Το γραμματοκιβώτιο είναι πλήρες',
      'Το γραμματοκιβώτιο του παραλήπτη είναι γεμάτο',
      'Υπέρβαση ορίου χώρου του λογαριασμού',
    ],
    later: [
      'Προσωρινό σφάλμα, δοκιμάστε ξανά αργότερα',
      'Η υπηρεσία δεν είναι διαθέσιμη προσωρινά',
      'Προσπαθήστε ξανά σε 5 λεπτά',
    ],
    refused: [
      'Η διεύθυνση IP σας βρίσκεται σε μαύρη λίστα',
      'Ο αποστολέας απορρίφθηκε',
      'Η σύνδεση από τον διακομιστή σας απορρίφθηκε',
    ],
    sources: ['ip.gr, Email 496', 'sigmaweb.gr/common-email-errors', 'support.iphost.net', `gr.${GODADDY}`],
  },
  {
    language: 'Hebrew',
    noSuch: ['המשתמש אינו קיים', 'תיבת הדואר לא נמצאה', 'נמען לא ידוע'],
    disabled: ['החשבון הושבת', 'תיבת הדואר אינה פעילה', 'החשבון נחסם'],
    full: ['תיבת הדואר מלאה', 'תיבת הדואר של הנמען חרגה מהמכסה', 'אין מקום בתיבת הדואר'],
    later: ['השירות אינו זמין זמנית, נסה שוב מאוחר יותר', 'שגיאה זמנית', 'נסו שוב בעוד 5 דקות'],
    refused: ['כתובת ה-IP שלך ברשימה שחורה', 'השולח נדחה', 'ההודעה נדחתה כדואר זבל'],
    sources: [GMAIL, GODADDY],
  },
  {
    language: 'Arabic',
    noSuch: ['المستخدم غير موجود', 'مستخدم غير معروف', 'صندوق البريد غير موجود'],
    disabled: ['تم تعطيل الحساب', 'الحساب غير نشط', 'تم إيقاف الحساب'],
    full: ['صندوق البريد ممتلئ', 'تم تجاوز حصة صندوق البريد', 'لا توجد مساحة كافية في صندوق بريد المستلم'],
    later: ['الخدمة غير متاحة مؤقتا، حاول مرة أخرى لاحقا', 'خطأ مؤقت', 'أعد المحاولة بعد 5 دقائق'],
    refused: ['عنوان IP الخاص بك في القائمة السوداء', 'تم رفض عنوان المرسل', 'تم رفض الرسالة باعتبارها بريدا مزعجا'],
    sources: ['infotechhunter.com', GMAIL],
  },
  {
    language: 'Japanese',
    noSuch: ['ユーザーが不明です', '宛先のメールアドレスが見つかりません', '受信者が存在しない'],
    disabled: ['アカウントは無効です', '非アクティブなメールボックス', 'このアカウントは停止されています'],
    full: ['メールボックスがいっぱいです', 'メールボックスの容量超過', '受信者の受信トレイの保存容量が不足しています'],
    later: [
      '一時的なエラーです。後でもう一度お試しください',
      'サービスは一時的に利用できません',
      'グレーリストのため5分後に再送してください',
    ],
    refused: [
      '送信元のIPアドレスはブラックリストに登録されています',
      '送信者が拒否されました',
      '迷惑メールと判定されたため拒否しました',
    ],
    sources: ['sumari.jp/mail-error-message', 'tex2e.github.io/blog/protocol/smtp-reply-code', GMAIL, CAMPAIGN],
  },
  {
    language: 'Chinese',
    noSuch: ['该用户不存在', '收件人不存在', '邮箱未找到'],
    disabled: ['该邮箱已被停用', '用户已被禁用', '邮箱被锁'],
    full: ['收件人空间不足', '收件人邮箱已满', '邮箱容量已满'],
    later: ['邮箱暂时不可用，请稍后再试', '服务暂时不可用', '灰名单，请5分钟后重试'],
    refused: ['发信IP被禁止', '拒绝发件人地址', '您的IP在黑名单中'],
    sources: [
      'qqmailbox.com/transceivers/169.html',
      'emailhost.com.cn',
      'blog.sina.com.cn/s/blog_8dc13ec50101fxxr.html',
    ],
  },
  {
    language: 'Korean',
    noSuch: ['존재하지 않는 사용자입니다', '받는사람이 존재하지 않습니다', '사용자를 찾을 수 없습니다'],
    disabled: ['받는사람이 사용중지된 계정입니다', '휴면 계정입니다', '정지된 사용자입니다'],
    full: [
      '받는사람의 메일용량이 초과되었습니다',
      '수신자의 메일함이 가득 찼습니다',
      '저장 장치 할당을 초과했습니다: 메일함',
    ],
    later: [
      '일시적인 오류입니다. 잠시 후 다시 시도해 주십시오',
      '서버가 혼잡합니다. 나중에 다시 시도하세요',
      '서비스를 일시적으로 사용할 수 없습니다',
    ],
    refused: ['발신 IP가 차단되었습니다', '보내는 사람이 거부되었습니다', '스팸으로 분류되어 차단되었습니다'],
    sources: ['puffinknight.tistory.com/102', 'oliveit.tistory.com/39', GMAIL],
  },
];
