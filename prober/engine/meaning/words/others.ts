import type { WordTable } from './word-table.ts';

/**
 * Czech, Slovak, Slovene, Croatian, Serbian, Ukrainian, Bulgarian, Hungarian, Romanian, Greek, Turkish, Indonesian,
 * Vietnamese, Hebrew, Arabic: what is needed for a refusal of a mailbox or a sender, and not much more.
 */
export const OTHERS = {
  DROP: `za за يتم على ειναι εχει το ο η του της για αυτη αυτος של את boyle byla bylo byl bola bol bolo je sme tento tato toto se si ova ovaj ovo az egy ez ezt este acest aceasta
    bir bu ile ve yang ini itu telah sudah nay`,
  BOX: `عنوان_البريد عنوان_البريد_الالكتروني kullanicinin schrance התיבה صندوق بريد_المستلم λογαριασμο αποδεκτης תיבת בתיבת_הדואר בתיבה נמענים adresat adresata adresatem ucastnik uzivatel uzivatelsky schranku ucet uctu adresa
    adresy adresu pouzivatel prijemca uporabnik prejemnik predal racun naslov postni_predal korisnik primatelj primalac sanducic sanduce postanski_sanducic nalog користувач
    скриньку поштова_скринька поштовоі_скриньки одержувач отримувач обліковии_запис потребител потребителят получателят кутия пощенска_кутия пощенската_кутия сметка felhasznalo
    cimzett cimzettet postafiok postafiokot postalada fiok fiokot emailcim email_cim cim cimet utilizator utilizatorul utilizatorului destinatar destinatarul destinatarului
    contul contului cont cutia_postala casuta casuta_postala casuta_de_mail χρηστη παραληπτη γραμματοκιβωτιο διευθυνση kullanici kullanicisi alici alicisi alicinin hesap hesabi
    posta_kutusu posta_kutusunun e_posta_adresi eposta_adresi adresi gelen_kutusu pengguna penerima akun alamat kotak_surat kotak_pos alamat_surel alamat_email
    nguoi_dung nguoi_nhan tai_khoan dia_chi hop_thu המשתמש משתמש הנמען נמען תיבה תיבת_הדואר תיבת_דואר חשבון החשבון כתובת הכתובת المستخدم مستخدم المستلم مستلم الحساب حساب العنوان
    عنوان صندوق_البريد`,
  SENDER: `عنوان_المرسل διευθυνση_σας adresiniz e_posta_adresiniz hesabiniz posta_kutunuz حسابك vase_adresa vase_e_mailova_adresa vas_ucet כתובתך הכתובת_שלך عنوانك odesilatel odosielatel posiljatelj
    posiljalac відправник подател подателят felado kuldo expeditor expeditorul expeditorului αποστολεας αποστολεα gonderen gonderici gondericinin pengirim nguoi_gui השולח שולח
    المرسل مرسل`,
  yours: `vase σας שלך cua_ban dvs anda`,
  CLIENT: `συνδεσεις διακομιστη_σας διακομιστης_σας השרת_שלך שרתך خادمك baglantiniz baglanti sunucunuzdan spojeni συνδεση החיבור الاتصال vas_server vaseho_serveru vas_posluzitelj
    ваш_вузол a_szervere serverul_dumneavoastra sunucunuz server_anda`,
  IP: `διευθυνση_ip כתובת_ה_ip ה_ip الاي_بي عنوان_ip_الخاص ip_adresinizden vase_ip vase_ip_adresa ip_adresa ip_adresy ip_cim ip_cime adresa_ip ip_adresi ip_adresiniz alamat_ip ip_anda
    dia_chi_ip כתובת_ip عنوان_ip`,
  HOST: `szerver sunucu sunucusu serverul posluzitelj streznik`,
  DOMAIN: `domena_prijemce domene domenata домеин domeniu domeniul domeniului tartomany alan_adi ten_mien`,
  LIST: `cerne_listine cernem_seznamu blacklistu_je μαυρη_λιστα רשימה_שחורה ברשימה_שחורה القايمة_السوداء قايمة_سوداء na_cerne_listine cerna_listina blacklistu feketelista
    lista_neagra kara_liste kara_listede daftar_hitam crna_lista crnoj_listi`,
  SPAM: `זבל דואר_זבל ספאם مزعج مزعجا مزعجة بريد_مزعج istenmeyen_posta ανεπιθυμητα nevyzadane istenmeyen levelszemet spamul`,
  POLICY: `pravidla pravidlech politike`,
  not: `μη chybi chybejici nebyl yoktur אינו אינה لم_يعد neni nejsou nie_je nema nema_takoga nem nincs nu nici_un niciun δεν degil yok tidak bukan belum khong nije nisu ni не_е
    няма לא אין ليس غير لا لم нема немає`,
  exist: `pouzivan pouzivana використовується aktivny bulunabilir tanimli kayitli εγκυρο ενεργη חוקית חוקי תקף يوجد العثور صحيح صحيحة ידוע ידועה פעיל פעילה רשום מוכר نشط نشطة متاح مسجل نشطا znam znamy nalezen
    existovat letezik talalhato ervenyes gasit valabil υπαρχει βρεθηκε var_mi mevcut bulunabilir ditemukan dikenal terdaftar aktif ton_tai tim_thay hop_le obstaja najden postoji
    pronaden nadjen existuje існує знаидено съществува намерен קיים קיימת נמצא נמצאה תקין موجود موجودة صالح معروف`,
  gone: `kullanilmiyor kullanilmamaktadir nenalezen κλεισει ανενεργο απενεργοποιηθει απενεργοποιηθηκε ανασταλει διαγραφηκε διαγραφει καταργηθηκε κλειστος הושבת הושבתה נסגר נסגרה בוטל בוטלה נמחק נמחקה מושהה
    חסומה_לצמיתות تعطيل معطل معطلة ايقاف موقوف حذف محذوف ملغى kapatilmistir kaldirildi silinmistir kullanim_disi pozastaven zrusila zaniklo devredisi bulunmuyor bulunmamaktadir
    bulunamamistir bulunmamakta neexistuje neexistujici neexistujuci neznam zrusen deaktivovan smazan vymazany ukoncen neobstojec neznan izbrisan ukinjen ukinut nepostojeci
    nepoznat ugasen deaktiviran невідома видалена відключено закрито изтрит ismeretlen megszunt megszuntetett torolt torolve letiltott letiltva necunoscut dezactivat suspendat
    sters stearsa inchis αγνωστη ανυπαρκτος απενεργοποιημενος bulunamadi bilinmiyor bilinmeyen kapatildi kapatilmis silindi silinmis devre_disi askiya_alindi pasif dihapus
    dinonaktifkan nonaktif ditutup bi_khoa bi_xoa vo_hieu`,
  bad: `neplatne chybny neveljaven neispravan nevazeci недиісна невірна невалиден ervenytelen hibas gecersiz yanlis hatali salah khong_hop_le μη_εγκυρη`,
  refused: `odepren נדחתה נדחו סירוב رفض رفضت مرفوضة odmita odmitl reddedilmistir reddedilir απορριπτεται απορριφθηκαν απορριψη odmitnut odmietnuty zavrnjen odbijen відхилено
    elutasitva visszautasitva respins refuzat απορριφθηκε reddedildi ditolak bi_tu_choi נדחה مرفوض`,
  blocked: `נחסם נחסמו חסומה محظورة engellenmistir engellidir μπλοκαριστηκε αποκλειστηκε blokovan zablokovan blokiran заблоковано blokkolva blocat engellendi engellenmis diblokir
    bi_chan נחסמה חסום محظور`,
  full: `betelt preplnen zaplnen πληρες πληρης מלא ممتلي ممتلية ممتلءة plna plny polna pun puna prepun переповнена пълна megtelt tele plin plina γεματη dolu dolmus penuh bi_day day_du
    מלאה`,
  exceeded: `vycerpan вичерпано надвишена υπερβαση υπερεβη ξεπερασε חרגה חרג חריגה تجاوز تجاوزت prekrocen prekrocil prekorachena prekoracena presezena перевищено превишена tullepte tullepve depasit asildi
    asti melebihi terlampaui vuot_qua`,
  quota: `kvotaja kuota han_ngach מכסת ממכסת kvota_schranky kvoty kvotou מכסה מהמכסה המכסה حصة الحصة kotasini ποσοστωση οριου_χωρου οριο_χωρου kota kvota kvotu kotasi квоту`,
  storage: `alan χωρου χωρος mistem مساحة_كافية misto mista prostor tarhely spatiu spatiul yer depolama_alani ruang ruang_penyimpanan dung_luong מקום مساحة`,
  disk: `lemez disku diskin δισκος`,
  temporarily: `docasne zacasno privremeno тимчасово atmenetileg kesobb temporar gecici_olarak gecici sementara tam_thoi`,
  MSG: `البريد ההודעה הודעה الرسالة رسالة mesaj iletiniz ileti μηνυμα zpravu`,
  limit: `οριου οριο limitini ліміт batas ogranicenje han_muc gioi_han حد`,
  GREY: `gri_liste gri_listede sedy_list sedem_seznamu γκρι_λιστα`,
  insufficient: `nedostatek nedostatecne`,
  required: `vyzadovano gerekli gerekiyor απαιτειται נדרש مطلوبة مطلوب`,
  AUTH: `autentizace overeni_totoznosti kimlik_dogrulama ελεγχος_ταυτοτητας πιστοποιηση אימות المصادقة`,
  RDNS: `reverzni reverzni_dns ters_dns`,
  enough: `yeterli αρκετο كافية`,
  MANY: `prilis_mnoho забагато tul_sok prea_multe prea_multi previse terlalu_banyak qua_nhieu יותר_מדי كثيرة_جدا παρα_πολλες παρα_πολλα παρα_πολλοι cok_fazla`,
  only: `pouze jen yalnizca sadece μονο רק فقط`,
  COMMAND: `komut utasitas командата наредба parancs εντολη naredba ukaz perintah lenh פקודה הפקודה امر الامر`,
  sending: `poslanih odeslanych gonderilen elkuldott slanja slanje odlazne odlaznih odchozi odchozich вихідних вихідноі изпращане изходяща εξερχομενων iesire giden الصادر الصادرة gonderim gonderme kuldesi kimeno αποστολης trimise odosielania odoslanych відправки pengiriman keluar gui שליחה השליחה משליחה היוצא היוצאת الارسال ارسال`,
} as const satisfies WordTable;
