import type { WordTable } from './word-table.ts';

/**
 * Czech, Slovak, Slovene, Croatian, Serbian, Ukrainian, Bulgarian, Hungarian, Romanian, Greek, Turkish, Indonesian,
 * Vietnamese, Hebrew, Arabic: what is needed for a refusal of a mailbox or a sender, and not much more.
 */
export const OTHERS = {
  DROP: `za за يتم على ειναι εχει το ο η του της για αυτη αυτος של את boyle byla bylo byl bola bol bolo je sme tento tato toto si ova ovaj ovo az egy ez ezt acest aceasta bir bu ile ve
    yang ini itu telah sudah nay lutfen artik ilyen jiz uz πλεον lagi prosim rog vise vece вече ole молим такъв такава је`,
  BOX: `عنوان_البريد عنوان_البريد_الالكتروني kullanicinin schrance התיבה صندوق بريد_المستلم λογαριασμο αποδεκτης תיבת בתיבת_הדואר בתיבה נמענים adresatem ucastnik uzivatel uzivatelsky schranku ucet uctu pouzivatel prijemca uporabnik prejemnik predal racun naslov postni_predal korisnik primatelj primalac sanducic sanduce postanski_sanducic nalog користувач скриньку
    поштова_скринька поштовоі_скриньки одержувач отримувач обліковии_запис потребител потребителят получателят кутия пощенска_кутия пощенската_кутия сметка felhasznalo cimzett cimzettet postafiok postafiokot postalada fiok fiokot emailcim email_cim cim cimet utilizator utilizatorul utilizatorului destinatar destinatarul destinatarului contul contului cont cutia_postala casuta
    casuta_postala casuta_de_mail χρηστη παραληπτη γραμματοκιβωτιο διευθυνση kullanici kullanicisi alici alicisi alicinin hesap hesabi posta_kutusu posta_kutusunun e_posta_adresi eposta_adresi gelen_kutusu pengguna penerima akun alamat kotak_surat kotak_pos alamat_surel alamat_email nguoi_dung nguoi_nhan tai_khoan dia_chi hop_thu המשתמש משתמש הנמען נמען תיבה תיבת_הדואר
    תיבת_דואר חשבון החשבון כתובת הכתובת المستخدم مستخدم المستلم مستلم الحساب حساب العنوان عنوان صندوق_البريد posta_kutusunda posta_kutusuna adresinin alici_adresi kisi kisinin calisan postafiokban fiokban postafiokja zamestnanec osobe акаунт акаунтът адресът корисник налог прималац сандуче поштанско_сандуче обліковии_запису אדם עובד הכתובת_של_הנמען حساب_المستخدم الموظف شخص
    nguoi_nay karyawan orang hop_thu_nay кутията dia_chi_email dia_chi_thu cime fiokja`,
  SENDER: `عنوان_المرسل διευθυνση_σας adresiniz e_posta_adresiniz hesabiniz posta_kutunuz حسابك vase_adresa vase_e_mailova_adresa vas_ucet כתובתך הכתובת_שלך عنوانك odesilatel odosielatel posiljatelj
    posiljalac відправник подател подателят felado kuldo expeditor expeditorul expeditorului αποστολεας αποστολεα gonderen gonderici gondericinin pengirim nguoi_gui השולח שולח
    المرسل مرسل بريدك بريدك_الالكتروني gonderenin cimed fiokod пошиљалац пошиљаоца posiljaoca`,
  yours: `vase σας שלך cua_ban dvs anda vas vasa vasu vasi vaseho vasem вашият вашия вашата вашето вашите az_on`,
  CLIENT: `συνδεσεις διακομιστη_σας διακομιστης_σας השרת_שלך שרתך خادمك baglantiniz baglanti sunucunuzdan spojeni συνδεση החיבור الاتصال vas_server vaseho_serveru vas_posluzitelj
    ваш_вузол a_szervere serverul_dumneavoastra sunucunuz server_anda alan_adiniz alan_adinizin`,
  IP: `διευθυνση_ip כתובת_ה_ip ה_ip الاي_بي عنوان_ip_الخاص ip_adresinizden vase_ip vase_ip_adresa ip_adresa ip_adresy ip_cim ip_cime adresa_ip ip_adresi ip_adresiniz alamat_ip ip_anda
    dia_chi_ip כתובת_ip عنوان_ip`,
  HOST: `szerver sunucu sunucusu serverul posluzitelj streznik השרת שרת الخادم خادم السيرفر may_chu сървър сървърът послужитељ`,
  DOMAIN: `domena_prijemce domene domenata домеин domeniu domeniul domeniului tartomany alan_adi ten_mien`,
  LIST: `cerne_listine cernem_seznamu blacklistu_je μαυρη_λιστα רשימה_שחורה ברשימה_שחורה القايمة_السوداء قايمة_سوداء na_cerne_listine cerna_listina blacklistu feketelista
    lista_neagra kara_liste kara_listede daftar_hitam crna_lista crnoj_listi`,
  SPAM: `זבל דואר_זבל ספאם مزعج مزعجا مزعجة بريد_مزعج istenmeyen_posta ανεπιθυμητα nevyzadane istenmeyen levelszemet spamul`,
  POLICY: `pravidla pravidlech politike`,
  not: `μη chybi chybejici nebyl yoktur אינו אינה لم_يعد neni nejsou nie_je nema nema_takoga nem nincs nu nici_un niciun δεν degil yok tidak bukan belum khong nije nisu ni не_е
    няма לא אין ليس غير لا لم нема немає није nece вече_не више_не vise_ne vise_nije nisu_vise більше_не нема_такого nu_mai nebola chua kalmadi`,
  exist: `pouzivan використовується bulunabilir tanimli kayitli εγκυρο ενεργη חוקית חוקי תקף يوجد العثور صحيح صحيحة ידוע ידועה פעיל פעילה רשום מוכר نشط نشطة متاح مسجل نشطا znam znamy nalezen existovat letezik talalhato ervenyes gasit valabil υπαρχει βρεθηκε var_mi mevcut ditemukan dikenal terdaftar aktif ton_tai tim_thay hop_le obstaja najden postoji pronaden nadjen existuje існує знаидено съществува намерен קיים קיימת נמצא נמצאה תקין موجود موجودة صالح معروف dostupne platny etkin aktivan valjan vazeca валиден валидна активнии працює работи постоји пронађена активан важећа
    διαθεσιμη εργαζεται זמין זמינה תקינה עובד_כאן متوفر متوفرة متاحة فعال مفعل صالحة يعمل elerheto dolgozik lucreaza hoat_dong kha_dung lam_viec tersedia bekerja aktivna kullanimda xac_dinh registrovan зареєстровании εγγεγραμμενος موجودا inregistrat regisztralva регистриран достъпен registriran dostupan доступан регистрован dang_ky gecerli mame`,
  gone: `kullanilmiyor kullanilmamaktadir nenalezen κλεισει ανενεργο απενεργοποιηθει απενεργοποιηθηκε ανασταλει διαγραφηκε διαγραφει καταργηθηκε κλειστος הושבת הושבתה נסגר נסגרה בוטל בוטלה נמחק נמחקה מושהה חסומה_לצמיתות تعطيل معطل معطلة ايقاف موقوف حذف محذوف ملغى kapatilmistir kaldirildi silinmistir kullanim_disi pozastaven zrusila zaniklo devredisi bulunmuyor bulunmamaktadir bulunamamistir bulunmamakta neexistuje neexistujici neexistujuci neznam zrusen deaktivovan smazan vymazany ukoncen neobstojec neznan izbrisan ukinjen ukinut nepostojeci nepoznat ugasen deaktiviran невідома видалена відключено закрито изтрит ismeretlen megszunt megszuntetett torolt torolve letiltott letiltva necunoscut
    dezactivat suspendat sters stearsa inchis αγνωστη ανυπαρκτος απενεργοποιημενος bulunamadi bilinmiyor bilinmeyen kapatildi kapatilmis silindi silinmis devre_disi askiya_alindi pasif dihapus dinonaktifkan nonaktif ditutup bi_khoa bi_xoa vo_hieu askiya_alinmistir askiya_alinmis kapali neaktivna неактивна деактивирана обрисана угашен укинут הושעה הושעתה megszuntettek ngung_hoat_dong da_xoa dibekukan مغلق مغلقة toroltek непознат uzavren vyprsel nepouziva вимкнении призупинении εκλεισε ληξει κλειδωθει מושבת מושבתת נעול נעולה פג_תוקף منتهي_الصلاحية حذفه ايقافه تعطيله اغلاقه felfuggesztve lejart zarolva expirat спрян изтекъл onemogucen neaktivan suspendiran zatvoren obrisan istekao неактиван
    суспендован затворен истекао онемогућен tam_ngung da_dong het_han vo_hieu_hoa ditangguhkan kedaluwarsa kadaluarsa suresi_doldu suresi_dolmus iptal_edildi iptal_edilmistir اغلاق`,
  bad: `neplatne chybny neveljaven neispravan nevazeci недіисна невірна невалиден ervenytelen hibas gecersiz yanlis hatali salah khong_hop_le μη_εγκυρη שגויה שגוי خاطي خاطية λαθος gresit грешен грешна неважећи`,
  refused: `odepren נדחתה נדחו סירוב رفض رفضت مرفوضة odmita odmitl reddedilmistir reddedilir απορριπτεται απορριφθηκαν απορριψη odmitnut odmietnuty zavrnjen odbijen відхилено
    elutasitva visszautasitva respins refuzat απορριφθηκε reddedildi ditolak bi_tu_choi נדחה مرفوض zakazane zabraneno забранено заборонено одбијен`,
  blocked: `נחסם נחסמו חסומה محظورة engellenmistir engellidir μπλοκαριστηκε αποκλειστηκε blokovan zablokovan blokiran заблоковано blokkolva blocat engellendi engellenmis diblokir
    bi_chan נחסמה חסום محظور блокирана`,
  full: `betelt preplnen zaplnen πληρες πληρης מלא ممتلي ممتلية ممتلءة plna plny polna pun puna prepun переповнена пълна megtelt tele plin plina γεματη dolu dolmus penuh bi_day day_du
    מלאה da_day пуна пун препълнен заповнении пуно препуно doldu`,
  exceeded: `vycerpan вичерпано надвишена υπερβαση υπερεβη ξεπερασε חרגה חרג חריגה تجاوز تجاوزت prekrocen prekrocil prekorachena prekoracena presezena перевищено превишена tullepte tullepve depasit asildi
    asti melebihi terlampaui vuot_qua ulasildi ulasti dosegnut достигнут досягнуто надвиши надхвърли`,
  quota: `kvotaja kuota han_ngach מכסת ממכסת kvota_schranky kvoty kvotou מכסה מהמכסה המכסה حصة الحصة kotasini ποσοστωση οριου_χωρου οριο_χωρου kota kvotu kotasi квоту квотата`,
  storage: `alan χωρου χωρος mistem مساحة_كافية misto mista prostor tarhely spatiu spatiul yer depolama_alani ruang ruang_penyimpanan dung_luong מקום مساحة hely helye місця мјеста mjesta depolama място אחסון التخزين cho_trong`,
  disk: `lemez disku diskin δισκος`,
  temporarily: `docasne zacasno privremeno тимчасово atmenetileg kesobb temporar gecici_olarak gecici sementara tam_thoi prave_ted v_tuto_chvili momentalno trenutno тренутно привремено зараз наразі пізніше временно_недостъпен в_момента jelenleg pillanatnyilag moment_indisponibil su_anda simdilik προσωρινα זמנית כרגע موقتا حاليا hien_tai saat_ini`,
  MSG: `البريد ההודעה הודעה الرسالة رسالة mesaj iletiniz ileti μηνυμα zpravu postu posti spravy листів листи поруке leveleket levelet uzenetet пошту пошта μηνυματα דואר הודעות رسايل الرسايل поща uzenet mesajul pesan съобщението`,
  limit: `οριου οριο limitini ліміт batas ogranicenje han_muc gioi_han حد siniri sinirina`,
  GREY: `gri_liste gri_listede sedy_list sedem_seznamu γκρι_λιστα`,
  insufficient: `nedostatek nedostatecne yetersiz`,
  required: `vyzadovano gerekli gerekiyor απαιτειται נדרש مطلوبة مطلوب`,
  AUTH: `autentizace overeni_totoznosti kimlik_dogrulama ελεγχος_ταυτοτητας πιστοποιηση אימות المصادقة`,
  RDNS: `reverzni reverzni_dns ters_dns`,
  enough: `yeterli αρκετο كافية`,
  MANY: `prilis_mnoho забагато tul_sok prea_multe prea_multi previse terlalu_banyak qua_nhieu יותר_מדי كثيرة_جدا παρα_πολλες παρα_πολλα παρα_πολλοι cok_fazla`,
  only: `pouze jen yalnizca sadece μονο רק فقط`,
  COMMAND: `komut utasitas командата наредба parancs εντολη naredba ukaz perintah lenh פקודה הפקודה امر الامر`,
  sending: `poslanih odeslanych gonderilen elkuldott slanje odlazne odlaznih odchozich вихідних вихідноі изпращане изходяща εξερχομενων iesire giden الصادر الصادرة gonderim gonderme kuldesi kimeno αποστολης trimise odosielania odoslanych відправки pengiriman keluar gui שליחה השליחה משליחה היוצא היוצאת الارسال ارسال`,
  'please CHECK': `kontrol_edin kontrol_ediniz dogrulayin zkontrolujte skontrolujte overte ellenorizze verificati перевірте проверете proverite provjerite ελεγξτε بדקו יש_לבדוק تحقق_من يرجى_التحقق_من kiem_tra periksa`,
  changed: `degismistir degisti zmenena se_zmenila megvaltozott schimbat змінилася`,
  'not accept': `kabul_etmiyor kabul_etmemektedir almiyor almamaktadir neprijima neprijme ne_prima ne_prima_vise`,
  'not exist': `calismiyor calismamaktadir kullanilamiyor kullanilamaz nepracuje neni_k_dispozici nenasiel nenasla nenajdeny tidak_ada khong_co`,
  away: `nedostupny nedostupan недостъпен`,
  accept: `prijima prijme приимає приема δεχεται λαμβανει מקבל מקבלת يقبل يستقبل يستلم fogad primeste nhan_thu menerima`,
  RELAY: `aktarma yonlendirme predavanie preposilani preposielanie tovabbitas retransmitere releu пересилання препращане prosljedivanje prosledivanje прослеђивање αναμεταδοση העברה ממסר ترحيل chuyen_tiep penerusan`,
  if: `ako ako_je ак ak ако ha_a ha_az αν εαν אם اذا jika daca neu_nguoi neu_hop neu_tai neu_dia neu_khong`,
  EMAIL: `البريد_الالكتروني بريد_الكتروني`,
  here: `rendszerunkben nalunk`,
} as const satisfies WordTable;
