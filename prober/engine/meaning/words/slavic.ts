import type { WordTable } from './word-table.ts';

/** Polish and Russian, Russian also as servers transliterate it. `й` stands folded, as `и`. */
export const SLAVIC = {
  DROP: `таким такими именем имя имени этому этои этого данныи данного данному takiej takich odbiorczej nasza naszym jest sa zostal zostala zostalo zostaly przez dla tego takiego takie taki ten ta ma tym
    у_нас был была было были для этот этого такого такои такая на`,
  BOX: `uzytkownik uzytkownika uzytkownikow odbiorca odbiorcy adresat adresata skrzynka skrzynki skrzynke konta adresu adresem abonent abonenta
    konto_pocztowe skrzynka_pocztowa konto
    пользователь пользователя пользователю получатель получателя получателю адресат адресата адрес адреса адресу ящик ящика почтовыи_ящик почтового_ящика
    аккаунт аккаунта учетная_запись учетнои_записи абонент абонента
    polzovatel polzovatelya poluchatel poluchatelya yaschik yashchik yashik pochtoviy_yaschik pochtovyi_yashchik  сотрудник сотрудника pracownik `,
  MSG: `wiadomosc wiadomosci poczta poczty письмо письма сообщение сообщения почта почту pismo soobschenie`,
  SENDER: `ваш_адрес вашего_адреса ваш_email ваша_почта ваш_e_mail twoj_adres twoj_adres_e_mail panstwa_adres twoje_konto ваш_аккаунт nadawca nadawcy nadawce adres_nadawcy domena_nadawcy отправитель отправителя адрес_отправителя домен_отправителя otpravitel otpravitelya`,
  CLIENT: `ваша_сеть вашего_сервера вашего_хоста вашего_домена ваш_домен ваш_проваидер panstwa_host twoj_host twoja_domena polaczenie polaczenia polaczen twoj_serwer panstwa_serwer соединение соединения подключение подключении ваш_сервер хост клиент soedinenie`,
  IP: `adres_ip adresu_ip twoj_adres_ip twoje_ip ip_адрес ip_адреса ваш_ip ваш_ip_адрес вашего_ip вашего_ip_адреса`,
  HOST: `serwer serwera сервер сервера server`,
  DOMAIN: `domena domeny домен домена домене`,
  LIST: `czarna_lista czarnej_liscie czarnej_listy черныи_список черном_списке черного_списка`,
  SPAM: `спам спама спамом niechciana niechciane`,
  POLICY: `polityka polityki zasady политика политики политикои`,
  AUTH: `uwierzytelnienie uwierzytelnianie uwierzytelnienia autoryzacja autoryzacji аутентификация аутентификации авторизация авторизации avtorizatsiya`,
  MANY: `zbyt_wiele zbyt_duzo za_duzo слишком_много slishkom_mnogo`,
  GREY: `триплет szara_lista szarej_listy серыи_список серого_списка`,
  RATE: `zbyt_czesto слишком_часто `,
  RELAY: `przekazywanie ретрансляция пересылка`,
  REPUTE: `reputacja reputacji репутация репутации репутациеи`,
  you: `вы вам вас`,
  not: `nie brak bez не нет отсутствует ne otsutstvuet nie_ma zadnego`,
  exist: `обслуживается значится числится зарегистрирована существующии zarejestrowany zarejestrowane odnaleziony wystepuje istnieje istnieja znaleziono znaleziony znaleziona odnaleziono aktywne aktywna aktywny dostepna dostepne dostepny poprawny prawidlowy
    существует существуют наиден наидена наидено известен доступен доступна активен зарегистрирован деиствителен
    suschestvuet sushchestvuet naiden nayden naidena dostupen доставлен dostarczono`,
  gone: `уволился уволилась wykasowane zlikwidowana zlikwidowany odszedl уничтожен аннулирована ликвидирован выключен выключена прекращен прекращена несуществующего заморожен заморожена деактивировано dezaktywowany dezaktywowana zdezaktywowane zdezaktywowany usunieto zamkniety nieznany nieznana nieznane nieistniejacy nieistniejace nieistniejaca nieaktywny nieaktywna nieaktywne 
    wylaczone wylaczona wylaczony usuniete usunieta usuniety zamkniete zamknieta zawieszone zawieszona dezaktywowane wygaslo wygasla
    неизвестен неизвестныи неизвестная несуществующии несуществующая отключен отключена удален удалена закрыт закрыта неактивен
    приостановлен приостановлена деактивирован деактивирована
    neizvesten neizvestniy neizvestnyi otklyuchen udalen zakryt уволен уволена  аннулирован  skasowane skasowany skasowana zlikwidowane`,
  away: `niedostepny niedostepna niedostepne недоступен недоступна nedostupen `,
  bad: `nieprawidlowy nieprawidlowa nieprawidlowe niepoprawny niepoprawna niepoprawne bledny bledna bledne
    неверныи неправильныи недопустимыи некорректныи недеиствительныи неверен`,
  refused: `odrzucony odrzucona odrzucono odrzucone odmowa odmowiono zabronione zabroniony отклонен отклонено отклонена отказано запрещен запрещено запрещена otkazano`,
  blocked: `zablokowany zablokowana zablokowane zablokowano заблокирован заблокирована заблокировано zablokirovan`,
  allowed: `имеете_права права_на dozwolone dozwolony dozwolona разрешено разрешен`,
  accept: `przyjmuje przyjete принимает принято`,
  failed: `blad bledy ошибка oshibka`,
  exceeded: `przekroczenie исчерпан исчерпана исчерпано исчерпаны wyczerpana wyczerpany wyczerpane przekroczony przekroczona przekroczono przekroczyl przekroczyla превышен превышена превышено`,
  full: `zapelnione zapchana przepelnione переполнено заполнен заполнена заполнено pelna pelny pelne przepelniona przepelniony zapelniona переполнен переполнена полон perepolnen`,
  quota: `quote quoty quote_skrzynki квота квоты kvota`,
  storage: `powierzchnia powierzchni памяти память pojemnosc pojemnosci miejsca miejsce места место`,
  disk: `dysk dysku диск диска диске`,
  limit: `limitu лимит лимита`,
  size: `размер размера объем объема rozmiar rozmiaru`,
  enough: `wystarczajaco достаточно`,
  insufficient: `недостаточно nedostatochno`,
  required: `wymagane wymagana wymagany требуется необходима необходимо`,
  temporarily: `tymczasowo czasowo временно vremenno`,
  access: `dostep dostepu доступ dostup`,
  RDNS: `обратная_запись обратнои_записи обратная_зона обратнои_зоны обратныи_dns`,
  only: `tylko wylacznie только лишь`,
} as const satisfies WordTable;
