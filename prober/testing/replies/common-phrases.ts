/**
 * The most common phrases of a language, as a native speaker writes them in a reply; those of one meaning are separated
 * by semicolons: no such or disabled mailbox, a full one, later, and refused. Those with a page that uses them are in
 * `seventeen-languages.ts`.
 */
export const COMMON_PHRASES = {
  German: {
    gone: 'Empfänger existiert nicht;Unbekannter Benutzer;Adresse unbekannt;Kein solcher Benutzer;Postfach nicht gefunden;Empfängeradresse ungültig;Der Benutzer ist auf diesem Server nicht vorhanden;Diese E-Mail-Adresse gibt es nicht;Empfaenger unbekannt;Empfänger wurde nicht gefunden;Kein Postfach unter diesem Namen;Die Adresse konnte nicht gefunden werden;Mailbox existiert nicht;Teilnehmer unbekannt;Keine solche Adresse;Benutzerkonto deaktiviert;Postfach gesperrt;Konto abgelaufen;Adresse wurde gelöscht;Mailbox stillgelegt;Account ist inaktiv;Mitarbeiter nicht mehr im Unternehmen;Der Account wurde gekündigt',
    full: 'Postfach ist voll;Mailbox voll;Speicherplatz erschöpft;Quota überschritten;Speicherkontingent des Empfängers überschritten;Postfachgröße überschritten;Der Briefkasten ist voll;Kein Speicherplatz mehr im Postfach',
    later:
      'Bitte später noch einmal versuchen;Vorübergehend nicht verfügbar;Temporärer Fehler;Dienst zurzeit nicht verfügbar;Server überlastet;Bitte versuchen Sie es in einigen Minuten erneut',
    refused:
      'Ihr Server steht auf einer Blacklist;Zugriff verweigert;Absender abgelehnt;Absenderadresse nicht akzeptiert;Ihre IP-Adresse hat keinen gültigen Reverse-DNS-Eintrag;Mail wegen Spamverdacht abgewiesen;Zu viele Verbindungen von Ihrer IP;Authentifizierung erforderlich;Absender-Domain existiert nicht;Versand von dynamischen IP-Adressen nicht erlaubt',
  },
  French: {
    gone: "Utilisateur inconnu;Destinataire inconnu;Adresse inconnue;Adresse inexistante;Cet utilisateur n'existe pas;Boîte aux lettres inexistante;Compte inexistant;Adresse e-mail invalide;Le destinataire n'existe pas;Aucun utilisateur de ce nom;Boite aux lettres introuvable;Adresse de destination inconnue;Pas d'utilisateur à ce nom;Destinataire invalide;Aucune boîte à ce nom;Compte désactivé;Compte suspendu;Compte fermé;Boîte fermée;Boite desactivee;Adresse supprimée;Compte résilié;Cette personne ne travaille plus ici;Adresse plus valide",
    full: 'Boîte pleine;Boite aux lettres pleine;Quota dépassé;Quota de la boîte dépassé;Espace disque insuffisant pour ce destinataire;La boîte du destinataire est saturée;Capacité de la boîte dépassée',
    later:
      'Veuillez réessayer plus tard;Service temporairement indisponible;Erreur temporaire;Serveur surchargé, réessayez ultérieurement;Message différé',
    refused:
      "Votre serveur est sur liste noire;Accès refusé;Expéditeur refusé;Adresse de l'expéditeur rejetée;Message considéré comme spam;Trop de connexions depuis votre IP;Authentification requise;Domaine de l'expéditeur introuvable;Votre IP n'a pas de DNS inverse;Mail refusé pour des raisons de sécurité",
  },
  Spanish: {
    gone: 'Usuario desconocido;Destinatario desconocido;El usuario no existe;Buzón inexistente;No existe el buzón;Cuenta inexistente;Dirección inexistente;Usuario no encontrado;No existe ese usuario;La dirección de correo no existe;Destinatario no válido;No hay ningún usuario con ese nombre;Dirección de correo incorrecta;Cuenta de correo no existe;Ese usuario no está registrado;Cuenta desactivada;Cuenta suspendida;Cuenta cancelada;Buzón deshabilitado;Usuario dado de baja;Cuenta bloqueada;La cuenta ha sido eliminada;Ya no trabaja aquí',
    full: 'Buzón lleno;Cuota excedida;El buzón está lleno;Cuota de disco superada;El usuario ha excedido su cuota;Sin espacio en el buzón;Espacio insuficiente en el buzón del destinatario',
    later:
      'Inténtelo más tarde;Servicio no disponible temporalmente;Error temporal;Servidor ocupado, intente de nuevo más tarde;Reintente en 5 minutos',
    refused:
      'Su IP está en una lista negra;Acceso denegado;Remitente rechazado;Su servidor no tiene DNS inverso;Mensaje rechazado por spam;Demasiadas conexiones desde su IP;Se requiere autenticación;El dominio del remitente no existe;No está autorizado a enviar correo;Bloqueado por políticas de seguridad',
  },
  Portuguese: {
    gone: 'Usuário desconhecido;Destinatário desconhecido;Usuário inexistente;Conta inexistente;Caixa postal inexistente;Endereço inexistente;O usuário não existe;Endereço de e-mail inválido;Destinatário não encontrado;Utilizador desconhecido;Não existe este usuário;Conta de e-mail não encontrada;Caixa de correio não existe;Não há usuário com este nome;Destinatário inválido;Conta desativada;Conta suspensa;Conta cancelada;Usuário inativo;Caixa postal desativada;Conta bloqueada;E-mail desativado;Conta encerrada',
    full: 'Caixa postal cheia;Caixa de entrada cheia;Cota excedida;Quota excedida;Limite de armazenamento excedido;Espaço em disco da conta esgotado;Caixa lotada',
    later:
      'Tente novamente mais tarde;Serviço temporariamente indisponível;Erro temporário;Servidor ocupado;Tente mais tarde',
    refused:
      'Seu IP está em uma lista negra;Acesso negado;Remetente rejeitado;Mensagem rejeitada por spam;Muitas conexões do seu IP;Autenticação necessária;Domínio do remetente não existe;IP sem DNS reverso;Seu servidor foi bloqueado;Remetente não autorizado',
  },
  Italian: {
    gone: "Utente sconosciuto;Destinatario sconosciuto;Casella inesistente;Utente inesistente;Indirizzo inesistente;Casella postale non trovata;L'utente non esiste;Destinatario non trovato;Indirizzo email non valido;Nessun utente con questo nome;Account inesistente;La casella non esiste;Il destinatario non esiste;Indirizzo sconosciuto;Utente non presente;Casella disabilitata;Account sospeso;Casella sospesa;Account disattivato;Casella chiusa;Utente disabilitato;Casella bloccata;Account scaduto",
    full: 'Casella piena;Casella di posta piena;Quota superata;Spazio esaurito;Quota casella superata;La casella del destinatario è piena;Spazio su disco della casella esaurito',
    later:
      'Riprovare più tardi;Servizio temporaneamente non disponibile;Errore temporaneo;Server occupato;Riprova tra 5 minuti',
    refused:
      'Il tuo IP è in blacklist;Accesso negato;Mittente rifiutato;Messaggio rifiutato per spam;Troppe connessioni dal tuo IP;Autenticazione richiesta;Il dominio del mittente non esiste;Mittente non autorizzato;Server mittente bloccato;Indirizzo IP bloccato',
  },
  Dutch: {
    gone: 'Gebruiker onbekend;Onbekende gebruiker;Onbekende ontvanger;Ontvanger onbekend;Adres bestaat niet;Mailbox bestaat niet;Postbus bestaat niet;E-mailadres bestaat niet;Geen gebruiker met deze naam;Ontvanger niet gevonden;Ongeldig adres;Gebruiker niet gevonden;Dit adres is niet bekend;Onbekend e-mailadres;De ontvanger bestaat niet;Account gedeactiveerd;Account geblokkeerd;Mailbox uitgeschakeld;Account opgeheven;Postbus gesloten;Adres niet langer in gebruik;Account verwijderd',
    full: 'Mailbox vol;Postbus vol;Mailbox is vol;Quota overschreden;Opslaglimiet overschreden;Onvoldoende ruimte in de mailbox;De inbox van de ontvanger is vol',
    later:
      'Probeer het later opnieuw;Tijdelijk niet beschikbaar;Tijdelijke fout;Server bezet, probeer later;Probeer het over 5 minuten opnieuw',
    refused:
      'Uw IP-adres staat op een zwarte lijst;Toegang geweigerd;Afzender geweigerd;Bericht geweigerd wegens spam;Te veel verbindingen vanaf uw IP;Authenticatie vereist;Domein van afzender bestaat niet;Uw server is geblokkeerd;Geen reverse DNS voor uw IP;Verzenden niet toegestaan',
  },
  Polish: {
    gone: 'Użytkownik nieznany;Nieznany użytkownik;Nieznany odbiorca;Konto nie istnieje;Skrzynka nie istnieje;Adres nie istnieje;Nie ma takiego użytkownika;Nie znaleziono użytkownika;Odbiorca nie istnieje;Nieprawidłowy adres odbiorcy;Brak takiego konta;Brak takiej skrzynki;Uzytkownik nie istnieje;Nie znaleziono skrzynki;Adresat nieznany;Konto zablokowane;Konto nieaktywne;Konto zawieszone;Skrzynka wyłączona;Konto usunięte;Skrzynka zamknięta;Konto wygasło',
    full: 'Skrzynka pełna;Skrzynka przepełniona;Przekroczony limit skrzynki;Brak miejsca w skrzynce;Przekroczono quotę;Skrzynka odbiorcy jest pełna;Konto przepełnione',
    later:
      'Spróbuj ponownie później;Tymczasowy błąd;Usługa chwilowo niedostępna;Serwer przeciążony;Proszę spróbować za 5 minut',
    refused:
      'Twój adres IP jest na czarnej liście;Dostęp zabroniony;Nadawca odrzucony;Wiadomość odrzucona jako spam;Zbyt wiele połączeń z twojego IP;Wymagane uwierzytelnienie;Domena nadawcy nie istnieje;Brak rekordu revDNS;Twój serwer jest zablokowany;Nadawca nieznany',
  },
  Czech: {
    gone: 'Uživatel neexistuje;Neznámý uživatel;Neznámý příjemce;Schránka neexistuje;Adresa neexistuje;Příjemce neexistuje;Uživatel nenalezen;Schránka nenalezena;Neplatná adresa příjemce;Takový uživatel neexistuje;Účet neexistuje;Adresát neznámý;Adresa nebyla nalezena;Příjemce nebyl nalezen;Neznama adresa;Účet zablokován;Schránka zrušena;Účet deaktivován;Schránka je zablokovaná;Účet byl zrušen;Schránka není aktivní',
    full: 'Schránka je plná;Schránka plná;Překročena kvóta;Kvóta schránky překročena;Schránka příjemce je přeplněna;Nedostatek místa ve schránce',
    later:
      'Zkuste to později;Dočasná chyba;Služba dočasně nedostupná;Server je přetížen, zkuste později;Opakujte za 5 minut',
    refused:
      'Vaše IP adresa je na blacklistu;Přístup odepřen;Odesílatel odmítnut;Zpráva odmítnuta jako spam;Příliš mnoho spojení z vaší IP;Vyžadována autentizace;Doména odesílatele neexistuje;Váš server je blokován;Chybí reverzní DNS záznam',
  },
  Russian: {
    gone: 'Пользователь не найден;Нет такого пользователя;Неизвестный пользователь;Пользователь не существует;Адресат не найден;Получатель не найден;Неизвестный получатель;Ящик не существует;Нет такого ящика;Почтовый ящик не найден;Неверный адрес получателя;Такого адреса не существует;Адрес не существует;Такой пользователь не зарегистрирован;Учетная запись не найдена;Ящик заблокирован;Почтовый ящик отключен;Учетная запись заблокирована;Пользователь удален;Ящик удалён;Аккаунт заблокирован;Почтовый ящик закрыт;Пользователь отключён',
    full: 'Ящик переполнен;Почтовый ящик переполнен;Превышена квота;Квота превышена;Недостаточно места в ящике;Превышен лимит почтового ящика;Ящик получателя переполнен;Нет места в почтовом ящике',
    later: 'Попробуйте позже;Временная ошибка;Сервис временно недоступен;Повторите попытку позже;Сервер перегружен',
    refused:
      'Ваш IP в черном списке;Доступ запрещен;Отправитель отклонен;Письмо отклонено как спам;Слишком много соединений с вашего IP;Требуется аутентификация;Домен отправителя не существует;Ваш сервер заблокирован;Отсутствует обратная запись DNS;Отправитель не найден;Адрес отправителя не существует',
  },
  Turkish: {
    gone: 'Kullanıcı bulunamadı;Bilinmeyen kullanıcı;Böyle bir kullanıcı yok;Kullanıcı mevcut değil;Alıcı bulunamadı;Bilinmeyen alıcı;Posta kutusu bulunamadı;Geçersiz alıcı;Alıcı adresi geçersiz;Hesap bulunamadı;Adres bulunamadı;Böyle bir adres yok;Kullanıcı tanımlı değil;Posta kutusu mevcut değil;Alıcı mevcut değil;Hesap devre dışı;Hesap askıya alındı;Hesap kapatıldı;Posta kutusu devre dışı;Kullanıcı silindi;Hesap pasif;Hesap silinmiş',
    full: 'Posta kutusu dolu;Kota aşıldı;Alıcının posta kutusu dolu;Disk kotası aşıldı;Kullanıcının kotası dolu;Yeterli alan yok',
    later:
      'Lütfen daha sonra tekrar deneyin;Geçici hata;Hizmet geçici olarak kullanılamıyor;Sunucu meşgul;Daha sonra deneyiniz',
    refused:
      'IP adresiniz kara listede;Erişim reddedildi;Gönderen reddedildi;İleti spam olarak reddedildi;IP adresinizden çok fazla bağlantı;Kimlik doğrulama gerekli;Gönderen alan adı bulunamadı;Sunucunuz engellendi;Gönderen bulunamadı;Ters DNS kaydı yok',
  },
  Swedish: {
    gone: 'Användaren finns inte;Okänd användare;Okänd mottagare;Mottagaren finns inte;Adressen finns inte;Brevlådan finns inte;Kontot finns inte;Mottagaren är okänd;Ogiltig mottagaradress;Användaren hittades inte;Mottagaren hittades inte;Ingen sådan användare;Adressen är okänd;E-postadressen finns inte;Ingen sådan brevlåda;Kontot är avstängt;Kontot är inaktiverat;Brevlådan är stängd;Kontot är borttaget;Användaren är spärrad;Kontot har upphört',
    full: 'Brevlådan är full;Mottagarens brevlåda är full;Kvoten överskriden;Lagringsutrymmet är slut;Inkorgen är full;Diskkvoten överskriden',
    later:
      'Försök igen senare;Tillfälligt fel;Tjänsten är tillfälligt otillgänglig;Servern är upptagen;Prova igen om 5 minuter',
    refused:
      'Din IP-adress är svartlistad;Åtkomst nekad;Avsändaren avvisades;Meddelandet avvisades som skräppost;För många anslutningar från din IP;Autentisering krävs;Avsändarens domän finns inte;Din server är blockerad;Avsändaren finns inte;Omvänd DNS saknas',
  },
  Greek: {
    gone: 'Ο χρήστης δεν υπάρχει;Άγνωστος χρήστης;Άγνωστος παραλήπτης;Ο παραλήπτης δεν βρέθηκε;Ο χρήστης δεν βρέθηκε;Το γραμματοκιβώτιο δεν υπάρχει;Η διεύθυνση δεν υπάρχει;Ο λογαριασμός δεν υπάρχει;Μη έγκυρη διεύθυνση;Δεν υπάρχει τέτοιος χρήστης;Άγνωστη διεύθυνση;Η διεύθυνση δεν βρέθηκε;Μη έγκυρος παραλήπτης;Ο λογαριασμός είναι ανενεργός;Ο λογαριασμός έχει απενεργοποιηθεί;Ο λογαριασμός έχει ανασταλεί;Το γραμματοκιβώτιο έχει κλείσει;Ο λογαριασμός διαγράφηκε',
    full: 'Το γραμματοκιβώτιο είναι γεμάτο;Υπέρβαση ορίου χώρου;Το γραμματοκιβώτιο του παραλήπτη είναι γεμάτο;Δεν υπάρχει αρκετός χώρος;Υπέρβαση quota',
    later: 'Δοκιμάστε ξανά αργότερα;Προσωρινό σφάλμα;Η υπηρεσία είναι προσωρινά μη διαθέσιμη',
    refused:
      'Η διεύθυνση IP σας είναι σε μαύρη λίστα;Η πρόσβαση απορρίφθηκε;Ο αποστολέας απορρίφθηκε;Το μήνυμα απορρίφθηκε ως ανεπιθύμητο;Πάρα πολλές συνδέσεις;Ο αποστολέας δεν υπάρχει;Απαιτείται έλεγχος ταυτότητας',
  },
  Hebrew: {
    gone: 'המשתמש לא קיים;משתמש לא ידוע;הנמען לא קיים;הנמען לא נמצא;תיבת הדואר לא קיימת;הכתובת לא קיימת;משתמש לא נמצא;אין משתמש כזה;כתובת לא חוקית;החשבון לא קיים;נמען לא ידוע;כתובת לא ידועה;החשבון הושבת;התיבה נחסמה;החשבון נסגר;החשבון אינו פעיל;תיבת הדואר נסגרה',
    full: 'תיבת הדואר מלאה;התיבה מלאה;חריגה מהמכסה;אין מקום בתיבה;המכסה מלאה',
    later: 'נסה שוב מאוחר יותר;שגיאה זמנית;השירות אינו זמין כרגע',
    refused:
      'כתובת ה-IP שלך חסומה;כתובת ה-IP שלך ברשימה שחורה;הגישה נדחתה;השולח נדחה;ההודעה נדחתה כספאם;השולח לא קיים;נדרש אימות',
  },
  Arabic: {
    gone: 'المستخدم غير موجود;مستخدم غير معروف;المستلم غير موجود;صندوق البريد غير موجود;العنوان غير موجود;الحساب غير موجود;عنوان غير صالح;لا يوجد مستخدم بهذا الاسم;لم يتم العثور على المستلم;لم يتم العثور على المستخدم;المستلم غير معروف;العنوان غير صحيح;الحساب معطل;الحساب موقوف;تم تعطيل الحساب;تم إيقاف الحساب;الحساب غير نشط;تم حذف الحساب',
    full: 'صندوق البريد ممتلئ;صندوق بريد المستلم ممتلئ;تم تجاوز الحصة;تجاوز الحصة المسموح بها;لا توجد مساحة كافية',
    later: 'حاول مرة أخرى لاحقا;خطأ مؤقت;الخدمة غير متاحة مؤقتا',
    refused:
      'عنوان IP الخاص بك محظور;عنوان IP الخاص بك في القائمة السوداء;تم رفض الوصول;تم رفض المرسل;تم رفض الرسالة كبريد مزعج;المرسل غير موجود;المصادقة مطلوبة',
  },
  Japanese: {
    gone: 'ユーザーが存在しません;宛先不明;ユーザ不明;受信者が見つかりません;宛先アドレスが存在しません;メールボックスが存在しません;アドレスが見つかりません;該当するユーザーはいません;不明なユーザー;不明な宛先;メールアドレスが無効です;そのようなユーザーはいません;宛先が不明です;このメールアドレスは存在しません;存在しないユーザーです;アカウントが停止されています;アカウントは無効です;メールボックスは無効になっています;このアカウントは削除されました;アカウントは利用できません;このアドレスは使用されていません',
    full: 'メールボックスがいっぱいです;メールボックスの容量を超えています;容量オーバー;受信者のメールボックスが満杯です;クォータを超過しました;ディスク容量が不足しています',
    later: 'しばらくしてから再度お試しください;一時的なエラー;サーバーが混雑しています;後でもう一度お試しください',
    refused:
      'あなたのIPアドレスはブラックリストに登録されています;アクセスが拒否されました;送信者が拒否されました;スパムとして拒否されました;接続数が多すぎます;認証が必要です;送信元ドメインが存在しません;逆引きが設定されていません;送信者アドレスが存在しません',
  },
  Chinese: {
    gone: '用户不存在;收件人不存在;邮箱不存在;没有此用户;无此用户;用户未找到;收件人地址不存在;收件人未知;未知用户;找不到收件人;查无此人;邮箱地址不存在;无效的收件人;收件人地址错误;该用户不存在;账号已停用;邮箱已被禁用;用户已注销;帐号被冻结;邮箱被锁定;该账户已过期;使用者不存在;查無此用戶;信箱不存在;帳號已停用',
    full: '邮箱已满;收件人邮箱已满;邮箱空间不足;超出邮箱容量;收件人邮箱空间已满;配额已超;信箱已滿;用户空间已满',
    later: '请稍后再试;系统繁忙;服务暂时不可用;暂时无法投递;稍后重试',
    refused:
      '您的IP在黑名单中;拒绝访问;发件人被拒绝;疑似垃圾邮件;连接过于频繁;需要身份验证;发件人域名不存在;发件人不存在;您的IP被限制;反向解析不存在',
  },
  Korean: {
    gone: '존재하지 않는 사용자;사용자를 찾을 수 없습니다;알 수 없는 사용자;수신자를 찾을 수 없습니다;존재하지 않는 메일 주소입니다;수신자가 존재하지 않습니다;없는 사용자입니다;메일함이 존재하지 않습니다;잘못된 수신자;등록되지 않은 사용자입니다;없는 계정입니다;해당 사용자가 없습니다;존재하지 않는 계정;휴면 계정;정지된 계정입니다;계정이 비활성화되었습니다;탈퇴한 회원입니다;사용이 중지된 계정입니다;삭제된 계정',
    full: '메일함이 가득 찼습니다;받는 사람의 메일함이 가득 찼습니다;용량 초과;메일함 용량이 초과되었습니다;저장 공간이 부족합니다',
    later: '잠시 후 다시 시도하십시오;일시적인 오류;서버가 혼잡합니다;나중에 다시 시도해 주세요',
    refused:
      '귀하의 IP가 차단되었습니다;접근이 거부되었습니다;발신자가 거부되었습니다;스팸으로 차단되었습니다;접속이 너무 많습니다;인증이 필요합니다;발신자 도메인이 존재하지 않습니다;발신자가 존재하지 않습니다;역방향 DNS가 없습니다',
  },
} as const;
