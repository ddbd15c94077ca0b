export type Phrases = {
  readonly box: string;
  readonly gone: string;
  readonly full: string;
  readonly not: string;
  readonly now: string;
  readonly later?: string;
  readonly refused?: string;
};

/**
 * The common phrases of a language, as a native speaker writes them in a reply, separated by semicolons. `%` is any word
 * of `box` for a mailbox: `gone` of it, it is missing or disabled; `full`. The same about any of `not`, or in any form of
 * `now` (for the moment, or if), says nothing about the mailbox. `later` and `refused` are whole replies. Those with a
 * page that uses them are in `seventeen-languages.ts`.
 */
export const COMMON_PHRASES: Readonly<Record<string, Phrases>> = {
  English: {
    box: 'recipient;address;mailbox;user;account;email address;alias;customer;inbox',
    gone: "% does not exist;% is unknown;% cannot be found;% isn't known here;% is no longer valid;% is inactive;% isn't active;% is suspended;% has been closed;% was deleted;% has expired;% was retired;% has been decommissioned;% has been withdrawn;% is no longer in use;% is no longer monitored;% no longer accepts mail;% doesn't accept messages any more;% cannot receive mail;% is not hosted here;% is not recognised;% is not registered;% is not listed;% is not defined;% is not configured;% is not provisioned;% is not on file;% is not in our directory;% is not in LDAP;% is not local;% cannot be resolved;% can't be routed;% isn't deliverable;% is wrong;% is not correct;% has moved;% has changed;% is gone;The user has left;% is not one of ours;% is not set up;% has been terminated;% is locked;% is not assigned;% was purged;% is no longer with us;% is no longer associated with this domain;% no longer works here;% is not on this server;% is not in my list of allowed recipients;No such %;No % by that name;Nobody has this %;Unknown %;Wrong %;Not a valid %;We do not have this %;No % found;Please check the %;Kindly verify the recipient's mail address;Please make sure the % is correct;Sorry, that % doesn't exist;Mail service for this % has been discontinued;Mail delivery to this % is disabled;We no longer accept mail for this %;Cannot receive mail for the specified %;There is no entry for this % in the user database;She no longer works for this firm;This position has been closed;Not a member of this domain;unknown contact;folder does not exist;ex-employee;user never logged in;Invalid email;destination unknown;We do not host mail for example.com;This domain receives no mail;You have the wrong address;<user@example.com> is not in my list of allowed recipients;no one uses this address;user@example.com is invalid;This is a no-reply address and receives no mail",
    full: '% is full;% is at capacity;% is at its quota;exceeded e-mail quota of %;% surpasses the permitted number of messages;no room in %;% is out of space;out of space in %;% has used all available storage;too many messages in the %;maximum number of messages in % reached;message count limit for % reached;not enough free space for %;% storage limit reached;size of % exceeded;exceeded e-mail quota;storage limit reached',
    not: "sender;sender's address;your account;your e-mail address;your server;client host;sending domain;remote server;your IP address",
    now: 'temporarily %;% at the moment;If the %;We do not know whether the %',
  },
  German: {
    box: 'Der Empfänger;Die Empfängeradresse;Das Postfach;Das Konto;Der Benutzer;Diese Adresse;Das E-Mail-Konto;Die Mailbox;Der Nutzer;Das Benutzerkonto',
    gone: '% existiert nicht;% ist unbekannt;% wurde nicht gefunden;% konnte nicht gefunden werden;% ist ungültig;% ist nicht gültig;% ist deaktiviert;% wurde deaktiviert;% ist inaktiv;% ist nicht aktiv;% ist gesperrt;% ist geschlossen;% wurde gelöscht;% ist nicht mehr gültig;% existiert nicht mehr;% ist nicht verfügbar;% ist nicht mehr verfügbar;% nimmt keine Mails an;% ist abgelaufen;% wurde stillgelegt;% ist falsch;% ist nicht bekannt;% ist nicht registriert;% ist nicht vorhanden;% gibt es nicht;% ist hier nicht bekannt;% wird nicht mehr benutzt;% kann keine E-Mails empfangen;% wurde entfernt;% ist umgezogen;% ist nicht erreichbar;Unbekannt: %;Empfänger existiert nicht;Unbekannter Benutzer;Adresse unbekannt;Kein solcher Benutzer;Postfach nicht gefunden;Empfängeradresse ungültig;Der Benutzer ist auf diesem Server nicht vorhanden;Diese E-Mail-Adresse gibt es nicht;Empfaenger unbekannt;Empfänger wurde nicht gefunden;Kein Postfach unter diesem Namen;Die Adresse konnte nicht gefunden werden;Mailbox existiert nicht;Teilnehmer unbekannt;Keine solche Adresse;Benutzerkonto deaktiviert;Postfach gesperrt;Konto abgelaufen;Adresse wurde gelöscht;Mailbox stillgelegt;Account ist inaktiv;Mitarbeiter nicht mehr im Unternehmen;Der Account wurde gekündigt',
    full: '% ist voll;% hat das Limit erreicht;% überfüllt;% hat keinen Speicherplatz mehr;% hat das Kontingent überschritten;% ist über Quota;Postfach ist voll;Mailbox voll;Speicherplatz erschöpft;Quota überschritten;Speicherkontingent des Empfängers überschritten;Postfachgröße überschritten;Der Briefkasten ist voll;Kein Speicherplatz mehr im Postfach',
    not: 'Der Absender;Die Absenderadresse;Ihre Adresse;Ihre E-Mail-Adresse;Ihr Konto;Ihr Benutzerkonto;Ihr Postfach;Ihr Server;Der Server;Ihre Domain;Die Absenderdomain;Ihre IP-Adresse;Das Postfach des Absenders;Der Befehl',
    now: 'derzeit %;% derzeit;vorübergehend %;% vorübergehend;momentan %;% momentan;Falls %;Wenn %',
    later:
      'Bitte später noch einmal versuchen;Vorübergehend nicht verfügbar;Temporärer Fehler;Dienst zurzeit nicht verfügbar;Server überlastet;Bitte versuchen Sie es in einigen Minuten erneut',
    refused:
      'Ihr Server steht auf einer Blacklist;Zugriff verweigert;Absender abgelehnt;Absenderadresse nicht akzeptiert;Ihre IP-Adresse hat keinen gültigen Reverse-DNS-Eintrag;Mail wegen Spamverdacht abgewiesen;Zu viele Verbindungen von Ihrer IP;Authentifizierung erforderlich;Absender-Domain existiert nicht;Versand von dynamischen IP-Adressen nicht erlaubt',
  },
  French: {
    box: "Le destinataire;L'adresse;La boîte;Le compte;L'utilisateur;Cette adresse;La boîte aux lettres;L'adresse du destinataire;Cette messagerie;L'adresse e-mail",
    gone: "% n'existe pas;% est inconnu;% est introuvable;% n'a pas été trouvé;% est invalide;% n'est pas valide;% est désactivé;% a été désactivée;% est inactif;% n'est pas actif;% est suspendu;% est fermé;% a été supprimé;% n'est plus valide;% n'existe plus;% n'est pas disponible;% n'est plus disponible;% n'accepte pas de messages;% n'accepte plus de messages;% est expiré;% est erroné;% n'est pas connu;% n'est pas enregistré;% n'est plus utilisé;% ne peut pas recevoir de courriels;% est incorrect;% est bloqué;Utilisateur inconnu;Destinataire inconnu;Adresse inconnue;Adresse inexistante;Cet utilisateur n'existe pas;Boîte aux lettres inexistante;Compte inexistant;Adresse e-mail invalide;Le destinataire n'existe pas;Aucun utilisateur de ce nom;Boite aux lettres introuvable;Adresse de destination inconnue;Pas d'utilisateur à ce nom;Destinataire invalide;Aucune boîte à ce nom;Compte désactivé;Compte suspendu;Compte fermé;Boîte fermée;Boite desactivee;Adresse supprimée;Compte résilié;Cette personne ne travaille plus ici;Adresse plus valide",
    full: "% pleine;% est plein;% a dépassé son quota;% a atteint sa limite;% saturée;% n'a plus d'espace;Boîte pleine;Boite aux lettres pleine;Quota dépassé;Quota de la boîte dépassé;Espace disque insuffisant pour ce destinataire;La boîte du destinataire est saturée;Capacité de la boîte dépassée",
    not: "L'expéditeur;L'adresse de l'expéditeur;Votre adresse;Votre adresse e-mail;Votre compte;Votre serveur;Le serveur;Votre domaine;Le domaine de l'expéditeur;Votre IP;La boîte de l'expéditeur;La commande",
    now: 'temporairement %;% temporairement;momentanément %;% momentanément;pour le moment %;% pour le moment;Si %',
    later:
      'Veuillez réessayer plus tard;Service temporairement indisponible;Erreur temporaire;Serveur surchargé, réessayez ultérieurement;Message différé',
    refused:
      "Votre serveur est sur liste noire;Accès refusé;Expéditeur refusé;Adresse de l'expéditeur rejetée;Message considéré comme spam;Trop de connexions depuis votre IP;Authentification requise;Domaine de l'expéditeur introuvable;Votre IP n'a pas de DNS inverse;Mail refusé pour des raisons de sécurité",
  },
  Spanish: {
    box: 'El destinatario;La dirección;El buzón;La cuenta;El usuario;Esta dirección;La cuenta de correo;La dirección del destinatario;La casilla;El correo electrónico',
    gone: '% no existe;% es desconocido;% no fue encontrado;% no se encuentra;% no encontrada;% es inválido;% no es válida;% está deshabilitada;% ha sido desactivado;% está inactiva;% no está activa;% está suspendida;% está cerrada;% fue eliminada;% ya no es válida;% ya no existe;% no está disponible;% ya no está disponible;% no acepta correo;% no acepta mensajes;% ha caducado;% es incorrecta;% no es conocido;% no está registrado;% ya no está en uso;% no puede recibir mensajes;% está bloqueada;% expiró;Usuario desconocido;Destinatario desconocido;El usuario no existe;Buzón inexistente;No existe el buzón;Cuenta inexistente;Dirección inexistente;Usuario no encontrado;No existe ese usuario;La dirección de correo no existe;Destinatario no válido;No hay ningún usuario con ese nombre;Dirección de correo incorrecta;Cuenta de correo no existe;Ese usuario no está registrado;Cuenta desactivada;Cuenta suspendida;Cuenta cancelada;Buzón deshabilitado;Usuario dado de baja;Cuenta bloqueada;La cuenta ha sido eliminada;Ya no trabaja aquí',
    full: '% lleno;% está llena;% ha excedido su cuota;% superó su límite;% sin espacio;% no tiene espacio;Buzón lleno;Cuota excedida;El buzón está lleno;Cuota de disco superada;El usuario ha excedido su cuota;Sin espacio en el buzón;Espacio insuficiente en el buzón del destinatario',
    not: 'El remitente;La dirección del remitente;Su dirección;Su cuenta;Su servidor;El servidor;Su dominio;El dominio del remitente;Su IP;El buzón del remitente;El comando;Su buzón;Tu cuenta',
    now: 'temporalmente %;% temporalmente;por el momento %;% por el momento;en este momento %;% en este momento;Si %',
    later:
      'Inténtelo más tarde;Servicio no disponible temporalmente;Error temporal;Servidor ocupado, intente de nuevo más tarde;Reintente en 5 minutos',
    refused:
      'Su IP está en una lista negra;Acceso denegado;Remitente rechazado;Su servidor no tiene DNS inverso;Mensaje rechazado por spam;Demasiadas conexiones desde su IP;Se requiere autenticación;El dominio del remitente no existe;No está autorizado a enviar correo;Bloqueado por políticas de seguridad',
  },
  Portuguese: {
    box: 'O destinatário;O endereço;A caixa postal;A conta;O usuário;Este endereço;A conta de e-mail;O endereço do destinatário;O utilizador;A caixa de correio',
    gone: '% não existe;% é desconhecido;% não foi encontrado;% não encontrada;% é inválido;% não é válida;% está desativada;% foi desativado;% está inativo;% não está ativa;% está suspensa;% está fechada;% foi excluída;% foi removido;% não é mais válido;% não existe mais;% não está disponível;% já não existe;% não aceita mensagens;% não aceita e-mails;% expirou;% está incorreto;% não é conhecido;% não está cadastrado;% não está mais em uso;% não pode receber mensagens;% está bloqueada;Usuário desconhecido;Destinatário desconhecido;Usuário inexistente;Conta inexistente;Caixa postal inexistente;Endereço inexistente;O usuário não existe;Endereço de e-mail inválido;Destinatário não encontrado;Utilizador desconhecido;Não existe este usuário;Conta de e-mail não encontrada;Caixa de correio não existe;Não há usuário com este nome;Destinatário inválido;Conta desativada;Conta suspensa;Conta cancelada;Usuário inativo;Caixa postal desativada;Conta bloqueada;E-mail desativado;Conta encerrada',
    full: '% cheia;% está lotada;% excedeu a cota;% atingiu o limite;% sem espaço;% não tem espaço;Caixa postal cheia;Caixa de entrada cheia;Cota excedida;Quota excedida;Limite de armazenamento excedido;Espaço em disco da conta esgotado;Caixa lotada',
    not: 'O remetente;O endereço do remetente;Seu endereço;Sua conta;Seu servidor;O servidor;Seu domínio;O domínio do remetente;Seu IP;A caixa postal do remetente;O comando',
    now: 'temporariamente %;% temporariamente;no momento %;% no momento;Se %',
    later:
      'Tente novamente mais tarde;Serviço temporariamente indisponível;Erro temporário;Servidor ocupado;Tente mais tarde',
    refused:
      'Seu IP está em uma lista negra;Acesso negado;Remetente rejeitado;Mensagem rejeitada por spam;Muitas conexões do seu IP;Autenticação necessária;Domínio do remetente não existe;IP sem DNS reverso;Seu servidor foi bloqueado;Remetente não autorizado',
  },
  Italian: {
    box: "Il destinatario;L'indirizzo;La casella;L'account;L'utente;Questo indirizzo;La casella di posta;L'indirizzo del destinatario;La mailbox;L'indirizzo email",
    gone: "% non esiste;% è sconosciuto;% non è stato trovato;% non trovata;% non è valido;% non valido;% è disabilitato;% è stata disattivata;% è inattivo;% non è attivo;% è sospesa;% è chiusa;% è stato cancellato;% è stato eliminato;% non è più valido;% non esiste più;% non è disponibile;% non è più disponibile;% non accetta messaggi;% non accetta posta;% è scaduto;% è errato;% non è conosciuto;% non è registrato;% non è più in uso;% non può ricevere messaggi;% è bloccata;% è stato rimosso;Utente sconosciuto;Destinatario sconosciuto;Casella inesistente;Utente inesistente;Indirizzo inesistente;Casella postale non trovata;L'utente non esiste;Destinatario non trovato;Indirizzo email non valido;Nessun utente con questo nome;Account inesistente;La casella non esiste;Il destinatario non esiste;Indirizzo sconosciuto;Utente non presente;Casella disabilitata;Account sospeso;Casella sospesa;Account disattivato;Casella chiusa;Utente disabilitato;Casella bloccata;Account scaduto",
    full: '% piena;% è piena;% ha superato la quota;% ha raggiunto il limite;% senza spazio;% non ha spazio;Casella piena;Casella di posta piena;Quota superata;Spazio esaurito;Quota casella superata;La casella del destinatario è piena;Spazio su disco della casella esaurito;Limite di spazio dell’account',
    not: "Il mittente;L'indirizzo del mittente;Il tuo indirizzo;Il vostro account;Il vostro server;Il server;Il tuo dominio;Il dominio del mittente;Il tuo IP;La casella del mittente;Il comando",
    now: 'temporaneamente %;% temporaneamente;al momento %;% al momento;per il momento %;% per il momento;Se %',
    later:
      'Riprovare più tardi;Servizio temporaneamente non disponibile;Errore temporaneo;Server occupato;Riprova tra 5 minuti',
    refused:
      'Il tuo IP è in blacklist;Accesso negato;Mittente rifiutato;Messaggio rifiutato per spam;Troppe connessioni dal tuo IP;Autenticazione richiesta;Il dominio del mittente non esiste;Mittente non autorizzato;Server mittente bloccato;Indirizzo IP bloccato',
  },
  Dutch: {
    box: 'De ontvanger;Het adres;De mailbox;Het account;De gebruiker;Dit adres;Het e-mailadres;Het postvak;Deze mailbox',
    gone: '% bestaat niet;% is onbekend;% is niet gevonden;% kon niet worden gevonden;% is ongeldig;% is niet geldig;% is uitgeschakeld;% is inactief;% is niet actief;% is geblokkeerd;% is gesloten;% is verwijderd;% is niet meer geldig;% bestaat niet meer;% is niet beschikbaar;% is niet meer beschikbaar;% accepteert geen e-mail;% ontvangt geen berichten;% is verlopen;% is onjuist;% is niet bekend;% is niet geregistreerd;% is niet meer in gebruik;% kan geen mail ontvangen;% is opgeheven;% is opgeschort;Gebruiker onbekend;Onbekende gebruiker;Onbekende ontvanger;Ontvanger onbekend;Adres bestaat niet;Mailbox bestaat niet;Postbus bestaat niet;E-mailadres bestaat niet;Geen gebruiker met deze naam;Ontvanger niet gevonden;Ongeldig adres;Gebruiker niet gevonden;Dit adres is niet bekend;Onbekend e-mailadres;De ontvanger bestaat niet;Account gedeactiveerd;Account geblokkeerd;Mailbox uitgeschakeld;Account opgeheven;Postbus gesloten;Adres niet langer in gebruik;Account verwijderd',
    full: '% is vol;% heeft het quotum overschreden;% heeft de limiet bereikt;% heeft geen ruimte meer;Mailbox vol;Postbus vol;Mailbox is vol;Quota overschreden;Opslaglimiet overschreden;Onvoldoende ruimte in de mailbox;De inbox van de ontvanger is vol',
    not: 'De afzender;Het adres van de afzender;Uw adres;Uw account;Uw server;De server;Uw domein;Het domein van de afzender;Uw IP-adres;De mailbox van de afzender;Het commando',
    now: 'tijdelijk %;% tijdelijk;momenteel %;% momenteel;op dit moment %;% op dit moment;Als %',
    later:
      'Probeer het later opnieuw;Tijdelijk niet beschikbaar;Tijdelijke fout;Server bezet, probeer later;Probeer het over 5 minuten opnieuw',
    refused:
      'Uw IP-adres staat op een zwarte lijst;Toegang geweigerd;Afzender geweigerd;Bericht geweigerd wegens spam;Te veel verbindingen vanaf uw IP;Authenticatie vereist;Domein van afzender bestaat niet;Uw server is geblokkeerd;Geen reverse DNS voor uw IP;Verzenden niet toegestaan',
  },
  Polish: {
    box: 'Odbiorca;Adres;Skrzynka;Konto;Użytkownik;Ten adres;Adres e-mail;Adres odbiorcy;Skrzynka pocztowa',
    gone: '% nie istnieje;% jest nieznany;% nie został znaleziony;% nie znaleziono;% jest nieprawidłowy;% nie jest prawidłowy;% jest wyłączone;% zostało wyłączone;% jest nieaktywna;% nie jest aktywne;% jest zawieszone;% jest zablokowane;% jest zamknięte;% została usunięta;% już nie istnieje;% jest niedostępna;% nie przyjmuje poczty;% nie przyjmuje wiadomości;% wygasło;% jest błędny;% nie jest znany;% nie jest zarejestrowany;% nie jest już używany;% nie może odbierać wiadomości;Użytkownik nieznany;Nieznany użytkownik;Nieznany odbiorca;Konto nie istnieje;Skrzynka nie istnieje;Adres nie istnieje;Nie ma takiego użytkownika;Nie znaleziono użytkownika;Odbiorca nie istnieje;Nieprawidłowy adres odbiorcy;Brak takiego konta;Brak takiej skrzynki;Uzytkownik nie istnieje;Nie znaleziono skrzynki;Adresat nieznany;Konto zablokowane;Konto nieaktywne;Konto zawieszone;Skrzynka wyłączona;Konto usunięte;Skrzynka zamknięta;Konto wygasło',
    full: '% jest pełna;% pełna;% przekroczyła limit;% przepełniona;% nie ma miejsca;Skrzynka pełna;Skrzynka przepełniona;Przekroczony limit skrzynki;Brak miejsca w skrzynce;Przekroczono quotę;Skrzynka odbiorcy jest pełna;Konto przepełnione',
    not: 'Nadawca;Adres nadawcy;Twój adres;Twoje konto;Twój serwer;Serwer;Twoja domena;Domena nadawcy;Twój adres IP;Skrzynka nadawcy;Polecenie',
    now: 'tymczasowo %;% tymczasowo;chwilowo %;% chwilowo;obecnie %;% obecnie;Jeśli %;Jeżeli %',
    later:
      'Spróbuj ponownie później;Tymczasowy błąd;Usługa chwilowo niedostępna;Serwer przeciążony;Proszę spróbować za 5 minut',
    refused:
      'Twój adres IP jest na czarnej liście;Dostęp zabroniony;Nadawca odrzucony;Wiadomość odrzucona jako spam;Zbyt wiele połączeń z twojego IP;Wymagane uwierzytelnienie;Domena nadawcy nie istnieje;Brak rekordu revDNS;Twój serwer jest zablokowany;Nadawca nieznany',
  },
  Czech: {
    box: 'Příjemce;Adresa;Schránka;Účet;Uživatel;Tato adresa;E-mailová adresa;Adresa příjemce',
    gone: '% neexistuje;% je neznámý;% nebyl nalezen;% nenalezena;% je neplatná;% není platná;% je zakázán;% byl deaktivován;% je neaktivní;% není aktivní;% je pozastaven;% je zablokován;% je uzavřen;% byla smazána;% byl zrušen;% již neexistuje;% je nedostupná;% není dostupný;% nepřijímá poštu;% nepřijímá zprávy;% vypršela;% je chybná;% není znám;% není registrován;% se již nepoužívá;Uživatel neexistuje;Neznámý uživatel;Neznámý příjemce;Schránka neexistuje;Adresa neexistuje;Příjemce neexistuje;Uživatel nenalezen;Schránka nenalezena;Neplatná adresa příjemce;Takový uživatel neexistuje;Účet neexistuje;Adresát neznámý;Adresa nebyla nalezena;Příjemce nebyl nalezen;Neznama adresa;Účet zablokován;Schránka zrušena;Účet deaktivován;Schránka je zablokovaná;Účet byl zrušen;Schránka není aktivní',
    full: '% je plná;% překročila kvótu;% nemá místo;% je přeplněna;Schránka je plná;Schránka plná;Překročena kvóta;Kvóta schránky překročena;Schránka příjemce je přeplněna;Nedostatek místa ve schránce',
    not: 'Odesílatel;Adresa odesílatele;Vaše adresa;Váš účet;Váš server;Server;Vaše doména;Doména odesílatele;Vaše IP adresa;Schránka odesílatele;Příkaz',
    now: 'dočasně %;% dočasně;momentálně %;% momentálně;Pokud %',
    later:
      'Zkuste to později;Dočasná chyba;Služba dočasně nedostupná;Server je přetížen, zkuste později;Opakujte za 5 minut',
    refused:
      'Vaše IP adresa je na blacklistu;Přístup odepřen;Odesílatel odmítnut;Zpráva odmítnuta jako spam;Příliš mnoho spojení z vaší IP;Vyžadována autentizace;Doména odesílatele neexistuje;Váš server je blokován;Chybí reverzní DNS záznam',
  },
  Slovak: {
    box: 'Príjemca;Adresa;Schránka;Účet;Používateľ',
    gone: '% neexistuje;% je neznámy;% nebol nájdený;% je neplatný;% nie je platný;% bol deaktivovaný;% je neaktívny;% je zablokovaný;% bol zrušený;% bol vymazaný;% už neexistuje;% nie je dostupný;% neprijíma poštu',
    full: '% je plná;% prekročila kvótu',
    not: 'Odosielateľ;Adresa odosielateľa;Vaša adresa;Váš účet;Váš server;Server;Vaša doména',
    now: 'dočasne %;% dočasne;momentálne %;% momentálne;Ak %',
  },
  Russian: {
    box: 'Получатель;Адрес;Почтовый ящик;Аккаунт;Пользователь;Этот адрес;Адрес получателя;Ящик;Учетная запись;Абонент',
    gone: '% не существует;% неизвестен;% не найден;% не найдена;% неверен;% недействителен;% не является действительным;% отключен;% был отключен;% неактивен;% не активен;% приостановлен;% заблокирован;% закрыт;% удален;% был удалён;% больше не существует;% недоступен;% не принимает почту;% не принимает письма;% просрочен;% указан неверно;% не известен;% не зарегистрирован;% больше не используется;% не может получать почту;% не обслуживается;Пользователь не найден;Нет такого пользователя;Неизвестный пользователь;Пользователь не существует;Адресат не найден;Получатель не найден;Неизвестный получатель;Ящик не существует;Нет такого ящика;Почтовый ящик не найден;Неверный адрес получателя;Такого адреса не существует;Адрес не существует;Такой пользователь не зарегистрирован;Учетная запись не найдена;Ящик заблокирован;Почтовый ящик отключен;Учетная запись заблокирована;Пользователь удален;Ящик удалён;Аккаунт заблокирован;Почтовый ящик закрыт;Пользователь отключён',
    full: '% переполнен;% заполнен;% превысил квоту;% полон;Ящик переполнен;Почтовый ящик переполнен;Превышена квота;Квота превышена;Недостаточно места в ящике;Превышен лимит почтового ящика;Ящик получателя переполнен;Нет места в почтовом ящике',
    not: 'Отправитель;Адрес отправителя;Ваш адрес;Ваш аккаунт;Ваш сервер;Сервер;Ваш домен;Домен отправителя;Ваш IP-адрес;Ящик отправителя;Команда;Ваша учетная запись;Ваш почтовый ящик',
    now: 'временно %;% временно;сейчас %;% сейчас;в данный момент %;% в данный момент;Если %',
    later: 'Попробуйте позже;Временная ошибка;Сервис временно недоступен;Повторите попытку позже;Сервер перегружен',
    refused:
      'Ваш IP в черном списке;Доступ запрещен;Отправитель отклонен;Письмо отклонено как спам;Слишком много соединений с вашего IP;Требуется аутентификация;Домен отправителя не существует;Ваш сервер заблокирован;Отсутствует обратная запись DNS;Отправитель не найден;Адрес отправителя не существует',
  },
  Ukrainian: {
    box: 'Одержувач;Адреса;Поштова скринька;Обліковий запис;Користувач;Отримувач',
    gone: '% не існує;% невідомий;% не знайдено;% не знайдений;% недійсна;% вимкнено;% неактивний;% не активний;% призупинено;% заблоковано;% закрито;% видалено;% більше не існує;% недоступна;% не приймає пошту;% не зареєстровано;% більше не використовується',
    full: '% переповнена;% заповнена;% перевищила квоту',
    not: 'Відправник;Адреса відправника;Ваша адреса;Ваш обліковий запис;Ваш сервер;Сервер;Ваш домен;Домен відправника;Скринька відправника',
    now: 'тимчасово %;% тимчасово;зараз %;% зараз;Якщо %',
  },
  Turkish: {
    box: 'Alıcı;Adres;Posta kutusu;Hesap;Kullanıcı;Bu adres;E-posta adresi;Alıcı adresi',
    gone: '% yok;% mevcut değil;% bilinmiyor;% bulunamadı;% geçersiz;% geçerli değil;% devre dışı;% devre dışı bırakıldı;% aktif değil;% pasif;% askıya alındı;% kapatıldı;% silindi;% artık geçerli değil;% artık mevcut değil;% kullanılamıyor;% e-posta kabul etmiyor;% mesaj kabul etmiyor;% süresi doldu;% yanlış;% hatalı;% kayıtlı değil;% kullanılmıyor;% engellendi;Kullanıcı bulunamadı;Bilinmeyen kullanıcı;Böyle bir kullanıcı yok;Kullanıcı mevcut değil;Alıcı bulunamadı;Bilinmeyen alıcı;Posta kutusu bulunamadı;Geçersiz alıcı;Alıcı adresi geçersiz;Hesap bulunamadı;Adres bulunamadı;Böyle bir adres yok;Kullanıcı tanımlı değil;Posta kutusu mevcut değil;Alıcı mevcut değil;Hesap devre dışı;Hesap askıya alındı;Hesap kapatıldı;Posta kutusu devre dışı;Kullanıcı silindi;Hesap pasif;Hesap silinmiş',
    full: '% dolu;% kotasını aştı;% kotası doldu;% doldu;Posta kutusu dolu;Kota aşıldı;Alıcının posta kutusu dolu;Disk kotası aşıldı;Kullanıcının kotası dolu;Yeterli alan yok',
    not: 'Gönderen;Gönderen adresi;Adresiniz;Hesabınız;Sunucunuz;Sunucu;Alan adınız;Gönderenin alan adı;IP adresiniz;Gönderenin posta kutusu;Komut;E-posta adresiniz',
    now: 'geçici olarak %;% geçici olarak;şu anda %;% şu anda;şimdilik %;% şimdilik;Eğer %',
    later:
      'Lütfen daha sonra tekrar deneyin;Geçici hata;Hizmet geçici olarak kullanılamıyor;Sunucu meşgul;Daha sonra deneyiniz',
    refused:
      'IP adresiniz kara listede;Erişim reddedildi;Gönderen reddedildi;İleti spam olarak reddedildi;IP adresinizden çok fazla bağlantı;Kimlik doğrulama gerekli;Gönderen alan adı bulunamadı;Sunucunuz engellendi;Gönderen bulunamadı;Ters DNS kaydı yok',
  },
  Swedish: {
    box: 'Mottagaren;Adressen;Brevlådan;Kontot;Användaren;Denna adress;E-postadressen;Mottagaradressen',
    gone: '% finns inte;% existerar inte;% är okänd;% hittades inte;% kunde inte hittas;% är ogiltig;% är inte giltig;% är inaktiverad;% är inaktiv;% är inte aktiv;% är avstängd;% är spärrad;% är stängd;% har raderats;% har tagits bort;% finns inte längre;% är inte tillgänglig;% tar inte emot e-post;% har upphört;% är felaktig;% är inte registrerad;% används inte längre;Användaren finns inte;Okänd användare;Okänd mottagare;Mottagaren finns inte;Adressen finns inte;Brevlådan finns inte;Kontot finns inte;Mottagaren är okänd;Ogiltig mottagaradress;Användaren hittades inte;Mottagaren hittades inte;Ingen sådan användare;Adressen är okänd;E-postadressen finns inte;Ingen sådan brevlåda;Kontot är avstängt;Kontot är inaktiverat;Brevlådan är stängd;Kontot är borttaget;Användaren är spärrad;Kontot har upphört',
    full: '% är full;% har överskridit kvoten;% har inget utrymme;Brevlådan är full;Mottagarens brevlåda är full;Kvoten överskriden;Lagringsutrymmet är slut;Inkorgen är full;Diskkvoten överskriden',
    not: 'Avsändaren;Avsändarens adress;Din adress;Ditt konto;Din server;Servern;Din domän;Avsändarens domän;Din IP-adress;Avsändarens brevlåda;Kommandot',
    now: 'tillfälligt %;% tillfälligt;just nu %;% just nu;Om %',
    later:
      'Försök igen senare;Tillfälligt fel;Tjänsten är tillfälligt otillgänglig;Servern är upptagen;Prova igen om 5 minuter',
    refused:
      'Din IP-adress är svartlistad;Åtkomst nekad;Avsändaren avvisades;Meddelandet avvisades som skräppost;För många anslutningar från din IP;Autentisering krävs;Avsändarens domän finns inte;Din server är blockerad;Avsändaren finns inte;Omvänd DNS saknas',
  },
  Danish: {
    box: 'Modtageren;Adressen;Postkassen;Kontoen;Brugeren;E-mailadressen',
    gone: '% findes ikke;% eksisterer ikke;% er ukendt;% blev ikke fundet;% kunne ikke findes;% er ugyldig;% er ikke gyldig;% er deaktiveret;% er inaktiv;% er ikke aktiv;% er suspenderet;% er spærret;% er lukket;% er slettet;% findes ikke længere;% er ikke tilgængelig;% modtager ikke mail;% er udløbet;% er forkert;% er ikke registreret;% bruges ikke længere;% er nedlagt',
    full: '% er fuld;% er fyldt;% har overskredet kvoten',
    not: 'Afsenderen;Afsenderens adresse;Din adresse;Din konto;Din server;Serveren;Dit domæne;Afsenderens domæne;Din IP-adresse;Afsenderens postkasse;Kommandoen',
    now: 'midlertidigt %;% midlertidigt;i øjeblikket %;% i øjeblikket;Hvis %',
  },
  Norwegian: {
    box: 'Mottakeren;Adressen;Postkassen;Kontoen;Brukeren;E-postadressen',
    gone: '% finnes ikke;% eksisterer ikke;% er ukjent;% ble ikke funnet;% er ugyldig;% er ikke gyldig;% er deaktivert;% er inaktiv;% er ikke aktiv;% er suspendert;% er sperret;% er stengt;% er slettet;% finnes ikke lenger;% er ikke tilgjengelig;% tar ikke imot e-post;% er utløpt;% er feil;% er ikke registrert;% brukes ikke lenger',
    full: '% er full;% har overskredet kvoten',
    not: 'Avsenderen;Avsenderens adresse;Din adresse;Din konto;Din server;Serveren;Ditt domene;Avsenderens domene;Din IP-adresse;Avsenderens postkasse',
    now: 'midlertidig %;% midlertidig;for øyeblikket %;% for øyeblikket;Hvis %',
  },
  Finnish: {
    box: 'Vastaanottaja;Osoite;Postilaatikko;Tili;Käyttäjä;Sähköpostiosoite',
    gone: '% ei ole olemassa;% on tuntematon;% ei löydy;% ei löytynyt;% on virheellinen;% ei ole voimassa;% on poistettu käytöstä;% ei ole aktiivinen;% on suljettu;% on poistettu;% on lukittu;% ei ole enää käytössä;% on vanhentunut;% ei vastaanota viestejä;% ei ole käytettävissä',
    full: '% on täynnä;% on ylittänyt kiintiön',
    not: 'Lähettäjä;Lähettäjän osoite;Osoitteesi;Tilisi;Palvelimesi;Palvelin;Verkkotunnuksesi;Lähettäjän verkkotunnus;IP-osoitteesi;Lähettäjän postilaatikko;Komento',
    now: 'tilapäisesti %;% tilapäisesti;tällä hetkellä %;% tällä hetkellä;Jos %',
  },
  Greek: {
    box: 'Ο παραλήπτης;Η διεύθυνση;Ο λογαριασμός;Ο χρήστης;Το γραμματοκιβώτιο;Η διεύθυνση του παραλήπτη',
    gone: '% δεν υπάρχει;% είναι άγνωστος;% δεν βρέθηκε;% δεν είναι έγκυρη;% είναι απενεργοποιημένος;% έχει απενεργοποιηθεί;% είναι ανενεργός;% δεν είναι ενεργός;% έχει ανασταλεί;% έκλεισε;% έχει διαγραφεί;% δεν υπάρχει πλέον;% δεν είναι διαθέσιμος;% δεν δέχεται μηνύματα;% έχει λήξει;% είναι λάθος;% δεν είναι εγγεγραμμένος;% έχει κλειδωθεί;Ο χρήστης δεν υπάρχει;Άγνωστος χρήστης;Άγνωστος παραλήπτης;Ο παραλήπτης δεν βρέθηκε;Ο χρήστης δεν βρέθηκε;Το γραμματοκιβώτιο δεν υπάρχει;Η διεύθυνση δεν υπάρχει;Ο λογαριασμός δεν υπάρχει;Μη έγκυρη διεύθυνση;Δεν υπάρχει τέτοιος χρήστης;Άγνωστη διεύθυνση;Η διεύθυνση δεν βρέθηκε;Μη έγκυρος παραλήπτης;Ο λογαριασμός είναι ανενεργός;Ο λογαριασμός έχει απενεργοποιηθεί;Ο λογαριασμός έχει ανασταλεί;Το γραμματοκιβώτιο έχει κλείσει;Ο λογαριασμός διαγράφηκε',
    full: '% είναι πλήρες;% είναι γεμάτο;% έχει υπερβεί το όριο;Το γραμματοκιβώτιο είναι γεμάτο;Υπέρβαση ορίου χώρου;Το γραμματοκιβώτιο του παραλήπτη είναι γεμάτο;Δεν υπάρχει αρκετός χώρος;Υπέρβαση quota',
    not: 'Ο αποστολέας;Η διεύθυνση του αποστολέα;Η διεύθυνσή σας;Ο λογαριασμός σας;Ο διακομιστής σας;Ο διακομιστής;Η εντολή',
    now: 'προσωρινά %;% προσωρινά;Αν %;Εάν %',
    later: 'Δοκιμάστε ξανά αργότερα;Προσωρινό σφάλμα;Η υπηρεσία είναι προσωρινά μη διαθέσιμη',
    refused:
      'Η διεύθυνση IP σας είναι σε μαύρη λίστα;Η πρόσβαση απορρίφθηκε;Ο αποστολέας απορρίφθηκε;Το μήνυμα απορρίφθηκε ως ανεπιθύμητο;Πάρα πολλές συνδέσεις;Ο αποστολέας δεν υπάρχει;Απαιτείται έλεγχος ταυτότητας',
  },
  Hebrew: {
    box: 'הנמען;הכתובת;החשבון;המשתמש;התיבה;תיבת הדואר',
    gone: '% לא קיים;% אינו קיים;% לא ידוע;% לא נמצא;% לא חוקי;% אינו תקין;% מושבת;% הושבת;% לא פעיל;% אינו פעיל;% הושעה;% נסגר;% נמחק;% כבר לא קיים;% לא זמין;% אינו מקבל דואר;% שגוי;% לא רשום;% נעול;המשתמש לא קיים;משתמש לא ידוע;הנמען לא קיים;הנמען לא נמצא;תיבת הדואר לא קיימת;הכתובת לא קיימת;משתמש לא נמצא;אין משתמש כזה;כתובת לא חוקית;החשבון לא קיים;נמען לא ידוע;כתובת לא ידועה;החשבון הושבת;התיבה נחסמה;החשבון נסגר;החשבון אינו פעיל;תיבת הדואר נסגרה',
    full: '% מלאה;% חרגה מהמכסה;תיבת הדואר מלאה;התיבה מלאה;חריגה מהמכסה;אין מקום בתיבה;המכסה מלאה',
    not: 'השולח;כתובת השולח;הכתובת שלך;החשבון שלך;השרת שלך;השרת;הפקודה',
    now: 'זמנית %;% זמנית;כרגע %;% כרגע;אם %',
    later: 'נסה שוב מאוחר יותר;שגיאה זמנית;השירות אינו זמין כרגע',
    refused:
      'כתובת ה-IP שלך חסומה;כתובת ה-IP שלך ברשימה שחורה;הגישה נדחתה;השולח נדחה;ההודעה נדחתה כספאם;השולח לא קיים;נדרש אימות',
  },
  Arabic: {
    box: 'المستلم;العنوان;الحساب;المستخدم;صندوق البريد;عنوان المستلم',
    gone: '% غير موجود;% غير معروف;% غير صالح;% غير صحيح;% معطل;% غير نشط;% غير فعال;% موقوف;% مغلق;% محذوف;% لم يعد موجودا;% غير متوفر;% غير متاح;% لا يقبل الرسائل;% منتهي الصلاحية;% غير مسجل;% تم حذفه;% تم إيقافه;% تم تعطيله;المستخدم غير موجود;مستخدم غير معروف;المستلم غير موجود;صندوق البريد غير موجود;العنوان غير موجود;الحساب غير موجود;عنوان غير صالح;لا يوجد مستخدم بهذا الاسم;لم يتم العثور على المستلم;لم يتم العثور على المستخدم;المستلم غير معروف;العنوان غير صحيح;الحساب معطل;الحساب موقوف;تم تعطيل الحساب;تم إيقاف الحساب;الحساب غير نشط;تم حذف الحساب',
    full: '% ممتلئ;% تجاوز الحصة;صندوق البريد ممتلئ;صندوق بريد المستلم ممتلئ;تم تجاوز الحصة;تجاوز الحصة المسموح بها;لا توجد مساحة كافية',
    not: 'المرسل;عنوان المرسل;عنوانك;حسابك;خادمك;الخادم;الأمر',
    now: 'مؤقتا %;% مؤقتا;حاليا %;% حاليا;إذا %',
    later: 'حاول مرة أخرى لاحقا;خطأ مؤقت;الخدمة غير متاحة مؤقتا',
    refused:
      'عنوان IP الخاص بك محظور;عنوان IP الخاص بك في القائمة السوداء;تم رفض الوصول;تم رفض المرسل;تم رفض الرسالة كبريد مزعج;المرسل غير موجود;المصادقة مطلوبة',
  },
  Japanese: {
    box: '受信者;宛先;メールボックス;アカウント;ユーザー;このアドレス;メールアドレス;宛先アドレス;ユーザ',
    gone: '%が存在しません;%は存在しない;%は不明です;%が見つかりません;%は無効です;%は有効ではありません;%は停止中です;%は停止されました;%は使用されていません;%は現在使われておりません;%は利用できません;%は閉鎖されました;%は削除されました;%は登録されていません;%は凍結されています;%に誤りがあります;%が間違っています;%は期限切れです;%は解約されました;%はメールを受信できません;%は廃止されました;ユーザーが存在しません;宛先不明;ユーザ不明;受信者が見つかりません;宛先アドレスが存在しません;メールボックスが存在しません;アドレスが見つかりません;該当するユーザーはいません;不明なユーザー;不明な宛先;メールアドレスが無効です;そのようなユーザーはいません;宛先が不明です;このメールアドレスは存在しません;存在しないユーザーです;アカウントが停止されています;アカウントは無効です;メールボックスは無効になっています;このアカウントは削除されました;アカウントは利用できません;このアドレスは使用されていません',
    full: '%がいっぱいです;%が満杯です;%の容量が超過しました;%の容量を超えています;メールボックスがいっぱいです;メールボックスの容量を超えています;容量オーバー;受信者のメールボックスが満杯です;クォータを超過しました;ディスク容量が不足しています',
    not: '送信者;送信元アドレス;あなたのアドレス;あなたのアカウント;サーバー;送信者のアドレス;送信元ドメイン;コマンド;送信者のメールボックス;差出人',
    now: '一時的に %;% 一時的に;もし %',
    later: 'しばらくしてから再度お試しください;一時的なエラー;サーバーが混雑しています;後でもう一度お試しください',
    refused:
      'あなたのIPアドレスはブラックリストに登録されています;アクセスが拒否されました;送信者が拒否されました;スパムとして拒否されました;接続数が多すぎます;認証が必要です;送信元ドメインが存在しません;逆引きが設定されていません;送信者アドレスが存在しません',
  },
  Chinese: {
    box: '收件人;地址;邮箱;账户;用户;该地址;收件人地址;帐号;邮箱账号;電子郵件地址;信箱;使用者',
    gone: '%不存在;%未知;%未找到;找不到%;%无效;%不可用;%已禁用;%已停用;%被停用;%未激活;%已冻结;%被锁定;%已关闭;%已删除;%已注销;%已失效;%有误;%不再使用;%未注册;%不接收邮件;%已过期;%不正确;没有此%;无此%;查无此%;%已被封停;用户不存在;收件人不存在;邮箱不存在;没有此用户;无此用户;用户未找到;收件人地址不存在;收件人未知;未知用户;找不到收件人;查无此人;邮箱地址不存在;无效的收件人;收件人地址错误;该用户不存在;账号已停用;邮箱已被禁用;用户已注销;帐号被冻结;邮箱被锁定;该账户已过期;使用者不存在;查無此用戶;信箱不存在;帳號已停用',
    full: '%已满;%空间不足;%容量已满;%超出配额;%超过容量限制;邮箱已满;收件人邮箱已满;邮箱空间不足;超出邮箱容量;收件人邮箱空间已满;配额已超;信箱已滿;用户空间已满',
    not: '发件人;发件人地址;您的地址;您的邮箱;您的账户;您的服务器;服务器;发件人域名;您的IP地址;命令;发件人邮箱;发送者;寄件者;你的帐号',
    now: '暂时 %;% 暂时;目前 %;% 目前;如果 %',
    later: '请稍后再试;系统繁忙;服务暂时不可用;暂时无法投递;稍后重试',
    refused:
      '您的IP在黑名单中;拒绝访问;发件人被拒绝;疑似垃圾邮件;连接过于频繁;需要身份验证;发件人域名不存在;发件人不存在;您的IP被限制;反向解析不存在',
  },
  Korean: {
    box: '수신자;주소;계정;사용자;메일함;메일 주소;수신자 주소;편지함',
    gone: '%가 존재하지 않습니다;%을 찾을 수 없습니다;알 수 없는 %;%가 유효하지 않습니다;%이 비활성화되었습니다;%이 정지되었습니다;%이 폐쇄되었습니다;%이 삭제되었습니다;%를 사용할 수 없습니다;등록되지 않은 %;잘못된 %;없는 %;사용자가 없습니다;%는 더 이상 사용되지 않습니다;%이 잠겼습니다;%가 만료되었습니다;존재하지 않는 사용자;사용자를 찾을 수 없습니다;알 수 없는 사용자;수신자를 찾을 수 없습니다;존재하지 않는 메일 주소입니다;수신자가 존재하지 않습니다;없는 사용자입니다;메일함이 존재하지 않습니다;잘못된 수신자;등록되지 않은 사용자입니다;없는 계정입니다;해당 사용자가 없습니다;존재하지 않는 계정;휴면 계정;정지된 계정입니다;계정이 비활성화되었습니다;탈퇴한 회원입니다;사용이 중지된 계정입니다;삭제된 계정',
    full: '%이 가득 찼습니다;%의 용량이 초과되었습니다;%의 용량이 부족합니다;메일함이 가득 찼습니다;받는 사람의 메일함이 가득 찼습니다;용량 초과;메일함 용량이 초과되었습니다;저장 공간이 부족합니다',
    not: '발신자;발신자 주소;귀하의 주소;귀하의 계정;귀하의 서버;서버;보낸 사람;명령;발신자 계정;당신의 계정',
    now: '일시적으로 %;% 일시적으로;현재 잠시 %;% 현재 잠시;만약 %',
    later: '잠시 후 다시 시도하십시오;일시적인 오류;서버가 혼잡합니다;나중에 다시 시도해 주세요',
    refused:
      '귀하의 IP가 차단되었습니다;접근이 거부되었습니다;발신자가 거부되었습니다;스팸으로 차단되었습니다;접속이 너무 많습니다;인증이 필요합니다;발신자 도메인이 존재하지 않습니다;발신자가 존재하지 않습니다;역방향 DNS가 없습니다',
  },
  Hungarian: {
    box: 'A címzett;A cím;A postafiók;A fiók;A felhasználó;Az e-mail cím',
    gone: '% nem létezik;% ismeretlen;% nem található;% érvénytelen;% nem érvényes;% letiltva;% inaktív;% nem aktív;% felfüggesztve;% megszűnt;% törölve;% már nem létezik;% nem elérhető;% nem fogad levelet;% lejárt;% hibás;% nincs regisztrálva;% zárolva',
    full: '% megtelt;% betelt;% tele van;% túllépte a kvótát',
    not: 'A feladó;A feladó címe;A te címed;Az Ön címe;A szerver;A parancs;A küldő postafiókja',
    now: 'átmenetileg %;% átmenetileg;jelenleg %;% jelenleg;Ha %',
  },
  Romanian: {
    box: 'Destinatarul;Adresa;Contul;Utilizatorul;Căsuța poștală;Cutia poștală',
    gone: '% nu există;% este necunoscut;% nu a fost găsit;% este invalid;% nu este valid;% este dezactivat;% a fost dezactivat;% este inactiv;% nu este activ;% este suspendat;% este închis;% a fost șters;% nu mai există;% nu este disponibil;% nu acceptă mesaje;% a expirat;% este greșită;% nu este înregistrat;% este blocat',
    full: '% este plină;% a depășit cota',
    not: 'Expeditorul;Adresa expeditorului;Adresa dvs.;Contul dvs.;Serverul;Domeniul expeditorului;Comanda;Contul expeditorului',
    now: 'temporar %;% temporar;momentan %;% momentan;Dacă %',
  },
  Bulgarian: {
    box: 'Получателят;Адресът;Акаунтът;Потребителят;Пощенската кутия',
    gone: '% не съществува;% е неизвестен;% не е намерен;% е невалиден;% не е валиден;% е деактивиран;% е неактивен;% не е активен;% е спрян;% е закрит;% е изтрит;% вече не съществува;% не е достъпен;% не приема поща;% е блокиран;% е изтекъл;% е грешен;% не е регистриран',
    full: '% е пълна;% надвиши квотата',
    not: 'Подателят;Адресът на подателя;Вашият адрес;Вашият акаунт;Сървърът;Командата',
    now: 'временно %;% временно;Ако %',
  },
  Croatian: {
    box: 'Primatelj;Adresa;Račun;Korisnik;Sandučić;Nalog;Korisnički račun',
    gone: '% ne postoji;% je nepoznat;% nije pronađen;% nije valjan;% je nevažeći;% je onemogućen;% je deaktiviran;% je neaktivan;% nije aktivan;% je suspendiran;% je zatvoren;% je izbrisan;% je obrisan;% više ne postoji;% nije dostupan;% ne prima poštu;% je istekao;% nije registriran;% je blokiran;% je ukinut',
    full: '% je pun;% je prekoračio kvotu',
    not: 'Pošiljatelj;Adresa pošiljatelja;Vaša adresa;Vaš račun;Vaš poslužitelj;Poslužitelj;Naredba;Pošiljalac;Račun pošiljatelja',
    now: 'privremeno %;% privremeno;trenutno %;% trenutno;Ako %',
  },
  Serbian: {
    box: 'Прималац;Адреса;Налог;Корисник;Сандуче',
    gone: '% не постоји;% је непознат;% није пронађен;% није важећа;% је неважећа;% је деактивиран;% је неактиван;% није активан;% је суспендован;% је затворен;% је обрисан;% више не постоји;% није доступан;% је блокиран;% је угашен',
    full: '% је пуно;% је препуно',
    not: 'Пошиљалац;Адреса пошиљаоца;Ваша адреса;Ваш налог;Сервер;Наредба',
    now: 'привремено %;% привремено;тренутно %;% тренутно;Ако %',
  },
  Vietnamese: {
    box: 'Người nhận;Địa chỉ;Tài khoản;Người dùng;Hộp thư;Địa chỉ email',
    gone: '% không tồn tại;% không tìm thấy;không tìm thấy %;% không hợp lệ;% bị vô hiệu hóa;% đã bị vô hiệu hóa;% không hoạt động;% bị tạm ngưng;% bị khóa;% đã bị xóa;% đã đóng;% không còn tồn tại;% không còn hoạt động;% không khả dụng;% không nhận thư;% đã hết hạn;% không xác định;% chưa đăng ký',
    full: '% đã đầy;% bị đầy;% vượt quá dung lượng',
    not: 'Người gửi;Địa chỉ người gửi;Địa chỉ của bạn;Tài khoản của bạn;Máy chủ của bạn;Máy chủ;Lệnh;Tài khoản người gửi',
    now: 'tạm thời %;% tạm thời;hiện tại %;% hiện tại;Nếu %',
  },
  Indonesian: {
    box: 'Penerima;Alamat;Akun;Pengguna;Kotak surat;Alamat email',
    gone: '% tidak ada;% tidak dikenal;% tidak ditemukan;% tidak valid;% dinonaktifkan;% telah dinonaktifkan;% tidak aktif;% ditangguhkan;% ditutup;% telah dihapus;% sudah tidak ada;% tidak tersedia;% tidak menerima email;% kedaluwarsa;% salah;% tidak terdaftar;% diblokir',
    full: '% penuh;% melebihi kuota',
    not: 'Pengirim;Alamat pengirim;Alamat Anda;Akun Anda;Server Anda;Server;Perintah;Akun pengirim',
    now: 'sementara %;% sementara;saat ini %;% saat ini;Jika %',
  },
  Thai: {
    box: 'ผู้รับ;บัญชี;ผู้ใช้;กล่องจดหมาย;ที่อยู่อีเมล',
    gone: 'ไม่พบ%;ไม่มี%;%ไม่ถูกต้อง;%ถูกระงับ;%ถูกปิดใช้งาน;%ถูกลบ;%ไม่มีอยู่;%ไม่มีอยู่จริง;%ไม่สามารถใช้งานได้;%หมดอายุ;%ไม่มีในระบบ',
    full: '%เต็ม;%เต็มแล้ว',
    not: 'ผู้ส่ง;ที่อยู่ผู้ส่ง;บัญชีของคุณ;ที่อยู่อีเมลของคุณ;เซิร์ฟเวอร์;คำสั่ง;บัญชีผู้ส่ง',
    now: 'ชั่วคราว %;% ชั่วคราว;หาก %;ถ้า %',
  },
};
