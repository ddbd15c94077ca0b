import type { WordTable } from './word-table.ts';

/**
 * Czech, Slovak, Slovene, Croatian, Serbian, Ukrainian, Bulgarian, Hungarian, Romanian, Greek, Turkish, Indonesian,
 * Vietnamese, Hebrew, Arabic: what a refusal of a mailbox or a sender takes, and not much more.
 */
export const OTHERS = {
  DROP: `byla bylo byl bola bol bolo je su sme tento tato toto se si ova ovaj ovo 
    az egy ez ezt  este acest aceasta  
    bir bu ile ve yang ini itu telah sudah nay  `,
  BOX: `uzivatel uzivatele uzivatelsky prijemce prijemcem schranka schranky schranku ucet uctu adresa adresy adresu pouzivatel pouzivatela
    prijemca uporabnik uporabnika prejemnik prejemnika predal racun naslov postni_predal korisnik korisnika primatelj primatelja primalac sanducic sanduce
    postanski_sanducic nalog
    користувач користувача скринька скриньки скриньку поштова_скринька поштовоi_скриньки одержувач одержувача отримувач отримувача обліковии_запис адреси адресу
    потребител потребителят потребителя получателят кутия пощенска_кутия пощенската_кутия сметка
    felhasznalo felhasznalot felhasznaloi cimzett cimzettet postafiok postafiokot postalada fiok fiokot emailcim email_cim cim cimet
    utilizator utilizatorul utilizatorului destinatar destinatarul destinatarului contul contului cont cutia_postala casuta casuta_postala casuta_de_mail
    χρηστης χρηστη παραληπτης παραληπτη λογαριασμος λογαριασμου γραμματοκιβωτιο διευθυνση
    kullanici kullanicisi alici alicisi alicinin hesap hesabi hesabiniz posta_kutusu posta_kutusunun e_posta_adresi eposta_adresi adresi gelen_kutusu
    pengguna penerima akun alamat kotak_surat kotak_pos alamat_surel alamat_email nguoi_dung nguoi_nhan tai_khoan dia_chi hop_thu
    המשתמש משתמש הנמען נמען תיבה תיבת_הדואר תיבת_דואר חשבון החשבון כתובת הכתובת
    المستخدم مستخدم المستلم مستلم الحساب حساب العنوان عنوان صندوق_البريد`,
  SENDER: `odesilatel odesilatele odosielatel odosielatela posiljatelj posiljatelja posiljalac відправник відправника подател подателят
    felado feladot kuldo expeditor expeditorul expeditorului αποστολεας αποστολεα gonderen gonderici gondericinin pengirim nguoi_gui השולח שולח المرسل مرسل`,
  CLIENT: `vas_server vaseho_serveru vas_posluzitelj ваш_вузол a_szervere serverul_dumneavoastra sunucunuz server_anda`,
  IP: `vase_ip ip_adresa ip_adresy ip_cim ip_cime adresa_ip ip_adresi ip_adresiniz alamat_ip ip_anda dia_chi_ip כתובת_ip عنوان_ip`,
  HOST: `szerver sunucu sunucusu serverul posluzitelj streznik`,
  DOMAIN: `domena_prijemce domene domenata домеин домеин домену domeniu domeniul domeniului tartomany alan_adi ten_mien`,
  LIST: `na_cerne_listine cerna_listina blacklistu feketelistan feketelista lista_neagra kara_liste kara_listede daftar_hitam crna_lista crnoj_listi`,
  SPAM: `nevyzadana nevyzadane istenmeyen levelszemet spamul`,
  POLICY: `pravidla pravidlech politike`,
  not: `neni nejsou nie_je nema nema_takoga nem nincs nincsen nu nici_un niciun δεν  degil yok tidak bukan belum khong nije nisu ni  не_е няма
    לא אין ليس غير لا لم нема немає`,
  exist: `nalezen nalezena nalezeno existovat letezik talalhato  ervenyes exista gasit gasita valabil υπαρχει βρεθηκε
    var_mi mevcut bulunabilir ditemukan dikenal terdaftar aktif  ton_tai tim_thay hop_le
    obstaja najden postoji pronaden pronadena nadjen existuje існує знаидено знаидении съществува намерен קיים קיימת נמצא נמצאה תקין موجود موجودة صالح معروف`,
  gone: `neexistuje neexistujici neexistujuci neznamy neznama nezname neznam zrusena zrusen zrusene zruseny  deaktivovan deaktivovana smazana smazan
     vymazana vymazany ukoncen ukoncena
    neobstojec neznan izbrisan ukinjen ukinut nepostojeci nepoznat nepoznata ugasen ugasena deaktiviran deaktivirana
    невідомии невідома видалено видалена відключено  закрито изтрит изтрита
    ismeretlen megszunt megszuntetett torolt torolve letiltott letiltva 
    necunoscut necunoscuta dezactivat dezactivata suspendat suspendata sters stearsa inchis inchisa inexistenta
    αγνωστος αγνωστη ανυπαρκτος απενεργοποιημενος
    bulunamadi bilinmiyor bilinmeyen kapatildi kapatilmis silindi silinmis devre_disi askiya_alindi pasif 
    dihapus dinonaktifkan nonaktif ditutup bi_khoa bi_xoa vo_hieu`,
  bad: `neplatny neplatna neplatne chybna chybny neveljaven neispravan nevazeci  недиісна невірна невалиден ervenytelen hibas  gecersiz
    yanlis hatali salah   khong_hop_le μη_εγκυρη`,
  refused: `odmitnut odmitnuta odmitnuto odmietnuty zavrnjen odbijen odbijena відхилено elutasitva visszautasitva respins respinsa refuzat απορριφθηκε
    reddedildi ditolak bi_tu_choi נדחה مرفوض`,
  blocked: `blokovan blokovana blokovano zablokovan zablokovana zablokovano blokiran blokirana заблоковано blokkolva blocat blocata engellendi engellenmis
    diblokir bi_chan נחסמה חסום محظور`,
  full: `plna plny zaplnena polna pun puna prepun переповнена пълна megtelt tele plin plina γεματο γεματη dolu dolmus penuh bi_day day_du מלאה ممتلي`,
  exceeded: `prekrocena prekrocen prekrocil prekorachena prekoracena presezena перевищено превишена tullepte tullepve depasita depasit asildi asti melebihi
    terlampaui vuot_qua`,
  quota: `kvota kvotu kotasi kota kvotat  квоту`,
  storage: `misto mista prostor prostora tarhely tarhelye spatiu spatiul yer depolama_alani ruang ruang_penyimpanan dung_luong מקום مساحة`,
  disk: `lemez disku diskin δισκος`,
  temporarily: `docasne zacasno privremeno тимчасово  atmenetileg kesobb temporar gecici_olarak gecici sementara tam_thoi`,
} as const satisfies WordTable;
