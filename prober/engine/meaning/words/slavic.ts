import type { WordTable } from './word-table.ts';

/** Polish and Russian, Russian also as transliterated by servers. `й`is folded to `и`. */
export const SLAVIC = {
  DROP: `такими именем имя имени этому этои этого данныи данного данному takiej takich odbiorczej nasza naszym jest sa zostaly przez dla tego takiego takie taki ten ta ma tym у_нас был
    была было были для этот такого такои такая на prosze juz пожалуиста moze может`,
  BOX: `adres_e_mail adres_email adresu_e_mail uzytkownikow odbiorcy skrzynke konta abonent konto_pocztowe skrzynka_pocztowa пользователь пользователю получатель получателю адресат адрес ящик ящика
    почтовыи_ящик почтового_ящика аккаунт учетная_запись учетнои_записи абонент polzovatel polzovatelya poluchatel poluchatelya yaschik yashchik yashik pochtoviy_yaschik pochtovyi_yashchik сотрудник pracownik
    osoba skrzynce ящике ящику человек почтовом_ящике koncie`,
  MSG: `wiadomosc poczty письма сообщение сообщения почта почту pismo soobschenie писем`,
  SENDER: `ваш_адрес вашего_адреса ваш_email ваша_почта ваш_e_mail twoj_adres twoj_adres_e_mail panstwa_adres twoje_konto ваш_аккаунт nadawce adres_nadawcy domena_nadawcy
    отправитель отправителя адрес_отправителя домен_отправителя otpravitel otpravitelya`,
  yours: `ваш ваша ваше вашеи вашего вашему twoj twoja twoje`,
  CLIENT: `ваша_сеть вашего_сервера вашего_хоста вашего_домена ваш_домен ваш_проваидер panstwa_host twoj_host twoja_domena polaczenia polaczen twoj_serwer panstwa_serwer
    соединение соединения подключении ваш_сервер хост клиент soedinenie`,
  IP: `adres_ip adresu_ip twoj_adres_ip twoje_ip ip_адрес ip_адреса ваш_ip ваш_ip_адрес вашего_ip вашего_ip_адреса`,
  HOST: `serwer сервер`,
  DOMAIN: `домен`,
  LIST: `czarna_lista czarnej_liscie czarnej_listy черныи_список черном_списке черного_списка`,
  SPAM: `спам спама спамом niechciane`,
  POLICY: `polityki zasady политики`,
  AUTH: `uwierzytelnianie uwierzytelnienia autoryzacji аутентификация аутентификации авторизация авторизации avtorizatsiya`,
  MANY: `zbyt_wiele zbyt_wielu zbyt_duzo za_duzo слишком_много slishkom_mnogo`,
  GREY: `триплет szara_lista szarej_listy серыи_список серого_списка`,
  number: `число количество liczbe ilosc`,
  RATE: `zbyt_czesto слишком_часто`,
  RELAY: `przekazywanie ретрансляция пересылка ретранслировать перенаправление`,
  REPUTE: `reputacji репутации репутациеи`,
  you: `вы вам вас`,
  not: `brak bez не нет отсутствует ne otsutstvuet nie_ma zadnego больше_не nie_juz`,
  exist: `uzywana используется используются обслуживается значится числится существующии zarejestrowane wystepuje istnieja znaleziona odnaleziono aktywny dostepny poprawny prawidlowy существует существуют наиден известен
    доступен доступна активен зарегистрирован деиствителен suschestvuet sushchestvuet naiden nayden dostupen доставлен dostarczono pracuje работает обслуживаются znany znana znane деиствительна mamy имеем`,
  gone: `уволился уволилась wykasowane odszedl уничтожен ликвидирован выключен прекращен заморожен zdezaktywowany nieznane nieistniejaca nieaktywne wylaczony usuniety zamknieta
    zawieszona dezaktywowane wygasla неизвестен неизвестная несуществующая отключен удален закрыт неактивен приостановлен деактивирован neizvesten neizvestniy neizvestnyi
    otklyuchen udalen zakryt уволен аннулирован skasowana zlikwidowane истек вышел_на_пенсию odeszla zwolniony недеиствующии просрочена истекла выведен_из_эксплуатации`,
  away: `niedostepne недоступен недоступна nedostupen`,
  bad: `nieprawidlowe niepoprawne bledne неверныи неправильныи недопустимыи некорректныи недеиствительныи неверен неверно_указан недеиствителен`,
  refused: `odrzucone odmowa odmowiono zabroniony отклонен отказано запрещен otkazano`,
  blocked: `zablokowano заблокирован zablokirovan`,
  allowed: `имеете_права права_на dozwolona разрешен`,
  accept: `przyjmuje przyjete принимает принято odbierac odbiera получать получает принимать`,
  failed: `blad bledy ошибка oshibka`,
  exceeded: `przekroczenie исчерпан wyczerpane przekroczono przekroczyl превышен`,
  full: `zapchana заполнен pelna pelny pelne przepelniony zapelniona переполнен полон perepolnen полна`,
  quota: `quote quoty quote_skrzynki квота квоты kvota`,
  storage: `powierzchni памяти память pojemnosc miejsce места место хранилище`,
  disk: `dysk dysku диск диска диске`,
  limit: `лимит`,
  size: `размер объем rozmiar`,
  enough: `wystarczajaco достаточно`,
  insufficient: `недостаточно nedostatochno za_malo zbyt_malo мало закончилось закончилась кончилось`,
  required: `wymagany требуется необходимо`,
  temporarily: `tymczasowo czasowo временно vremenno obecnie chwilowo na_razie в_данныи_момент сеичас пока позже позднее`,
  access: `dostep доступ dostup`,
  RDNS: `обратная_запись обратнои_записи обратная_зона обратнои_зоны обратныи_dns`,
  only: `tylko wylacznie только лишь`,
  COMMAND: `инструкция инструкции instrukcja polecenia komenda prikaz команду`,
  sending: `wysylanych wyslanych wysylki wysylanie odesilani odesilaci отправка отправляемых отправленных исходящеи wychodzacej надсилання`,
  'please CHECK': `sprawdz sprawdzic проверьте уточните`,
  changed: `изменен изменился zmieniony zmienil`,
} as const satisfies WordTable;
