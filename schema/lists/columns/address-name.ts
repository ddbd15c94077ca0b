// Names of the column that holds *the* address of a row, in the languages of the lists that people bring. `Contact email` and
// `Owner email` are addresses of somebody, and are none of these.

/** A longer name is none. */
const NAME_MAX = 60;

const MAIL = `email|e mail|mail|eメール|メール|電子メール|邮箱|电子邮箱|电子邮件|邮件|郵箱|電子信箱|電子郵件|이메일|메일|전자우편|전자메일
  courriel|mel|messagerie|messagerie electronique|courrier electronique|correo|correo electronico|correio eletronico
  posta elettronica|e posta|eposta|e post|epost|sahkoposti|e mailova|emailova|poczta|poczta elektroniczna
  почта|электронная почта|электронной почты|эл почта|эл почты|имейл|емейл|е мейл|е майл|електронна пошта|електронної пошти|ηλεκτρονικο ταχυδρομειο`;
const ADDRESS = `address|addresses|addr|adr|adresse|adressen|adres|adresy|adress|adresa|adresi|direccion|indirizzo|endereco|osoite|cim|cime
  адрес|адреса|アドレス|地址|주소|id`;
const AND = 'de|d|di|do|da|del|of|для';
const FIRST = '1|01|primary|main|haupt|principal|principale|default|основной|основная|主要';

const words = (list: string): string => foldLines(list).join('|');
const ADDRESS_NAME = new RegExp(
  `^(?:(?:${words(FIRST)}) )?(?:(?:${words(ADDRESS)}) (?:(?:${AND}) )?)?(?:${words(MAIL)})(?: ?1)?(?: ?(?:${words(ADDRESS)}))?(?: ?(?:${words(FIRST)}))?(?: (?:value|wert|valeur|valor))?$`,
  'u',
);

function foldLines(list: string): readonly string[] {
  return list.split(/[|\n]/).map(fold);
}

/** Without accents, case and punctuation. */
function fold(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/** What forms and templates write behind a name. */
const NOTE =
  /[([](?:required|mandatory|optional|pflichtfeld|obligatoire|obligatorio|obrigatório|obbligatorio|verplicht)[)\]]\s*$/i;

/** Objects of an API in which the fields of a row stand. */
const AROUND = /^(?:(?:properties|attributes|fields|data|values)\.)+/i;

/** The field of a numbered object in JSON, or a repeated column: one of several. */
const NUMBERED = /^\d+\.\S|\S\.\d+$/;

/** Whether a column of this name holds the address of each row. Pure. */
export function isAddressName(name: string): boolean {
  return (
    name.length <= NAME_MAX &&
    !NUMBERED.test(name) &&
    ADDRESS_NAME.test(fold(name.replace(AROUND, '').replace(NOTE, '')))
  );
}
