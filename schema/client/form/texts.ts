import type { FormReason } from '../../words/form.ts';

const TEXTS = {
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
} as const;
type Language = keyof typeof TEXTS;

/**
 * The message at a field, with `%` for the suggested address: the page's own words, from attributes of
 * the field or of the script (`data-rcpt-checking` and so on), or in the language of the script, else around the field.
 */
export function textOf(
  saying: FormReason | 'checking' | 'did_you_mean',
  field: Element,
  script: Element | null,
): string {
  const name = `data-rcpt-${saying.replaceAll('_', '-')}`;
  const lang = script?.getAttribute('lang') ?? langAround(field);
  const texts = TEXTS[languageOf(lang.slice(0, 2).toLowerCase())];
  return field.getAttribute(name) ?? script?.getAttribute(name) ?? texts[saying];
}

/** Also from outside of a shadow tree. */
function langAround(element: Element): string {
  const lang = element.closest('[lang]')?.getAttribute('lang');
  const tree = element.getRootNode();
  return lang ?? (tree instanceof ShadowRoot ? langAround(tree.host) : '');
}

function languageOf(lang: string): Language {
  return lang === 'de' || lang === 'fr' || lang === 'es' ? lang : 'en';
}
