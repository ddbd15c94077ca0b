import type { FormReason } from '../../../schema/words/form.ts';

// What the widget says, in the languages that are built in. A page has its own words in attributes: `data-rcpt-checking` and so
// on, at the field or at the script.

type Saying = FormReason | 'checking' | 'did_you_mean';
type Texts = Readonly<Record<Saying, string>>;

/** `%` stands for the address that is suggested. */
const TEXTS: Readonly<Record<string, Texts>> = {
  en: {
    checking: 'Checking…',
    did_you_mean: 'Did you mean %?',
    invalid_syntax: 'This is not a complete email address.',
    no_mail_domain: 'The part after the @ does not receive mail.',
    no_such_mailbox: 'This address does not exist.',
    disposable: 'Please use an address that lasts.',
  },
  de: {
    checking: 'Wird geprüft …',
    did_you_mean: 'Meinten Sie %?',
    invalid_syntax: 'Das ist keine vollständige E-Mail-Adresse.',
    no_mail_domain: 'Der Teil nach dem @ empfängt keine E-Mails.',
    no_such_mailbox: 'Diese Adresse gibt es nicht.',
    disposable: 'Bitte geben Sie eine dauerhafte Adresse an.',
  },
  fr: {
    checking: 'Vérification…',
    did_you_mean: 'Vouliez-vous dire % ?',
    invalid_syntax: 'Cette adresse e-mail est incomplète.',
    no_mail_domain: 'La partie après le @ ne reçoit pas d’e-mails.',
    no_such_mailbox: 'Cette adresse n’existe pas.',
    disposable: 'Merci d’indiquer une adresse durable.',
  },
  es: {
    checking: 'Comprobando…',
    did_you_mean: '¿Quiso decir %?',
    invalid_syntax: 'Esta dirección de correo no está completa.',
    no_mail_domain: 'La parte después de la @ no recibe correo.',
    no_such_mailbox: 'Esta dirección no existe.',
    disposable: 'Indique una dirección permanente.',
  },
};

/**
 * What is said at a field.
 * @param script what may have words for all fields; null: nothing has
 */
export function textOf(saying: Saying, field: Element, script: HTMLElement | null): string {
  const name = `data-rcpt-${saying.replaceAll('_', '-')}`;
  const own = field.getAttribute(name) ?? script?.getAttribute(name);
  const lang = (script?.lang || field.closest('[lang]')?.getAttribute('lang')) ?? '';
  return own ?? (TEXTS[lang.slice(0, 2).toLowerCase()] ?? TEXTS['en'])?.[saying] ?? '';
}
