import type { WordTable } from './word-table.ts';

/**
 * Czech, Slovak, Slovene, Croatian, Serbian, Ukrainian, Bulgarian, Hungarian, Romanian, Greek, Turkish, Indonesian,
 * Vietnamese, Hebrew, Arabic: what a refusal of a mailbox or a sender takes, and not much more.
 */
export const OTHERS = {
  DROP: `يتم على ειναι εχει το ο η του της για αυτη αυτος של את boyle byla bylo byl bola bol bolo je su sme tento tato toto se si ova ovaj ovo 
    az egy ez ezt este acest aceasta  
    bir bu ile ve yang ini itu telah sudah nay `,
  BOX: `schrance התיבה صندوق بريد_المستلم λογαριασμο παραληπτες αποδεκτης תיבת בתיבת_הדואר בתיבה נמענים adresat adresata adresatem ucastnik uzivatel uzivatele uzivatelsky prijemce prijemcem schranka schranky schranku ucet uctu adresa adresy adresu pouzivatel pouzivatela
    prijemca uporabnik uporabnika prejemnik prejemnika predal racun naslov postni_predal korisnik korisnika primatelj primatelja primalac sanducic sanduce
    postanski_sanducic nalog
    користувач користувача скринька скриньки скриньку поштова_скринька поштовоі_скриньки одержувач одержувача отримувач отримувача обліковии_запис адреси адресу
    потребител потребителят потребителя получателят кутия пощенска_кутия пощенската_кутия сметка
    felhasznalo felhasznalot felhasznaloi cimzett cimzettet postafiok postafiokot postalada fiok fiokot emailcim email_cim cim cimet
    utilizator utilizatorul utilizatorului destinatar destinatarul destinatarului contul contului cont cutia_postala casuta casuta_postala casuta_de_mail
    χρηστης χρηστη παραληπτης παραληπτη λογαριασμος λογαριασμου γραμματοκιβωτιο διευθυνση
    kullanici kullanicisi alici alicisi alicinin hesap hesabi hesabiniz posta_kutusu posta_kutusunun e_posta_adresi eposta_adresi adresi gelen_kutusu
    pengguna penerima akun alamat kotak_surat kotak_pos alamat_surel alamat_email nguoi_dung nguoi_nhan tai_khoan dia_chi hop_thu
    המשתמש משתמש הנמען נמען תיבה תיבת_הדואר תיבת_דואר חשבון החשבון כתובת הכתובת
    المستخدم مستخدم المستلم مستلم الحساب حساب العنوان عنوان صندوق_البريد`,
  SENDER: `عنوان_المرسل διευθυνση_σας adresiniz e_posta_adresiniz vase_adresa vase_e_mailova_adresa vas_ucet כתובתך הכתובת_שלך عنوانك odesilatel odesilatele odosielatel odosielatela posiljatelj posiljatelja posiljalac відправник відправника подател подателят
    felado feladot kuldo expeditor expeditorul expeditorului αποστολεας αποστολεα gonderen gonderici gondericinin pengirim nguoi_gui השולח שולח المرسل مرسل`,
  CLIENT: `συνδεσεις διακομιστη_σας διακομιστης_σας השרת_שלך שרתך خادمك baglantiniz baglanti sunucunuzdan spojeni συνδεση החיבור الاتصال vas_server vaseho_serveru vas_posluzitelj ваш_вузол a_szervere serverul_dumneavoastra sunucunuz server_anda`,
  IP: `διευθυνση_ip כתובת_ה_ip ה_ip الاي_بي عنوان_ip_الخاص ip_adresinizden vase_ip ip_adresa ip_adresy ip_cim ip_cime adresa_ip ip_adresi ip_adresiniz alamat_ip ip_anda dia_chi_ip כתובת_ip عنوان_ip`,
  HOST: `szerver sunucu sunucusu serverul posluzitelj streznik`,
  DOMAIN: `domena_prijemce domene domenata домеин домену domeniu domeniul domeniului tartomany alan_adi ten_mien`,
  LIST: `cerne_listine cernem_seznamu blacklistu_je μαυρη_λιστα רשימה_שחורה ברשימה_שחורה القايمة_السوداء قايمة_سوداء na_cerne_listine cerna_listina blacklistu feketelistan feketelista lista_neagra kara_liste kara_listede daftar_hitam crna_lista crnoj_listi`,
  SPAM: `זבל דואר_זבל ספאם مزعج مزعجا مزعجة بريد_مزعج istenmeyen_posta ανεπιθυμητη ανεπιθυμητα nevyzadana nevyzadane istenmeyen levelszemet spamul`,
  POLICY: `pravidla pravidlech politike`,
  not: `μη chybi chybejici nebyl nebyla nebylo yoktur אינו אינה لم_يعد neni nejsou nie_je nema nema_takoga nem nincs nincsen nu nici_un niciun δεν degil yok tidak bukan belum khong nije nisu ni не_е няма
    לא אין ليس غير لا لم нема немає`,
  exist: `aktivni aktivny bulunabilir tanimli kayitli εγκυρος εγκυρη εγκυρο ενεργος ενεργη חוקית חוקי תקף يوجد العثور صحيح صحيحة ידוע ידועה פעיל פעילה רשום מוכר نشط نشطة متاح مسجل نشطا znam znamy nalezen nalezena nalezeno existovat letezik talalhato ervenyes exista gasit gasita valabil υπαρχει βρεθηκε
    var_mi mevcut bulunabilir ditemukan dikenal terdaftar aktif ton_tai tim_thay hop_le
    obstaja najden postoji pronaden pronadena nadjen existuje існує знаидено знаидении съществува намерен קיים קיימת נמצא נמצאה תקין موجود موجودة صالح معروف`,
  gone: `nenalezen nenalezena nenalezeno κλεισει ανενεργος ανενεργη ανενεργο απενεργοποιηθει απενεργοποιηθηκε ανασταλει διαγραφηκε διαγραφει καταργηθηκε κλειστος αγνωστο הושבת הושבתה נסגר נסגרה בוטל בוטלה נמחק נמחקה מושהה חסומה_לצמיתות تعطيل معطل معطلة ايقاف موقوف حذف محذوف ملغى kapatilmistir kaldirildi silinmistir kullanim_disi deaktivovany pozastaven pozastavena zrusila zaniklo devredisi bulunmuyor bulunmamaktadir bulunamamistir bulunmamakta neexistuje neexistujici neexistujuci neznamy neznama nezname neznam zrusena zrusen zrusene zruseny deaktivovan deaktivovana smazana smazan
     vymazana vymazany ukoncen ukoncena
    neobstojec neznan izbrisan ukinjen ukinut nepostojeci nepoznat nepoznata ugasen ugasena deaktiviran deaktivirana
    невідомии невідома видалено видалена відключено закрито изтрит изтрита
    ismeretlen megszunt megszuntetett torolt torolve letiltott letiltva 
    necunoscut necunoscuta dezactivat dezactivata suspendat suspendata sters stearsa inchis inchisa inexistenta
    αγνωστος αγνωστη ανυπαρκτος απενεργοποιημενος
    bulunamadi bilinmiyor bilinmeyen kapatildi kapatilmis silindi silinmis devre_disi askiya_alindi pasif 
    dihapus dinonaktifkan nonaktif ditutup bi_khoa bi_xoa vo_hieu`,
  bad: `neplatny neplatna neplatne chybna chybny neveljaven neispravan nevazeci недиісна невірна невалиден ervenytelen hibas gecersiz
    yanlis hatali salah   khong_hop_le μη_εγκυρη`,
  refused: `odepren odepreno odeprena נדחתה נדחו סירוב رفض رفضت مرفوضة odmita odmitl odmitnuti reddedilmistir reddedilir απορριπτεται απορριφθηκαν απορριψη odmitnut odmitnuta odmitnuto odmietnuty zavrnjen odbijen odbijena відхилено elutasitva visszautasitva respins respinsa refuzat απορριφθηκε
    reddedildi ditolak bi_tu_choi נדחה مرفوض`,
  blocked: `נחסם נחסמו חסומה محظورة engellenmistir engellidir blokovany μπλοκαριστηκε αποκλειστηκε blokovan blokovana blokovano zablokovan zablokovana zablokovano blokiran blokirana заблоковано blokkolva blocat blocata engellendi engellenmis
    diblokir bi_chan נחסמה חסום محظور`,
  full: `preplnena preplnen preplneny zaplnen πληρες πληρης γεματος γεματα מלא ممتلي ممتلية ممتلءة plna plny zaplnena polna pun puna prepun переповнена пълна megtelt tele plin plina γεματο γεματη dolu dolmus penuh bi_day day_du מלאה `,
  exceeded: `υπερβαση υπερεβη ξεπερασε חרגה חרג חריגה تجاوز تجاوزت prekrocila prekroceno prekrocena prekrocen prekrocil prekorachena prekoracena presezena перевищено превишена tullepte tullepve depasita depasit asildi asti melebihi
    terlampaui vuot_qua`,
  quota: `kvota_schranky kvoty kvotou מכסה מהמכסה המכסה حصة الحصة kotasini ποσοστωση οριου_χωρου οριο_χωρου kota kvota kvotu kotasi kvotat квоту`,
  storage: `alan χωρου χωρος mistem مساحة_كافية misto mista prostor prostora tarhely tarhelye spatiu spatiul yer depolama_alani ruang ruang_penyimpanan dung_luong מקום مساحة`,
  disk: `lemez disku diskin δισκος`,
  temporarily: `docasne zacasno privremeno тимчасово atmenetileg kesobb temporar gecici_olarak gecici sementara tam_thoi`,
  MSG: `ההודעה הודעה الرسالة رسالة mesaj mesaji iletiniz ileti μηνυμα zprava zpravu`,
  limit: `οριου οριο limiti limitini`,
  GREY: `gri_liste gri_listede sedy_list sedem_seznamu γκρι_λιστα`,
  insufficient: `nedostatek nedostatecne`,
  required: `vyzadovana vyzadovano gerekli gerekiyor απαιτειται נדרש مطلوبة مطلوب`,
  AUTH: `autentizace overeni_totoznosti kimlik_dogrulama ελεγχος_ταυτοτητας πιστοποιηση אימות المصادقة`,
  RDNS: `reverzni reverzni_dns ters_dns`,
  enough: `yeterli αρκετος αρκετο كافية`,
  MANY: `prilis_mnoho παρα_πολλες παρα_πολλα cok_fazla`,
  only: `pouze jen yalnizca sadece μονο רק فقط`,
} as const satisfies WordTable;
