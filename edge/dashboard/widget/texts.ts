import type { FormReason } from '../../../schema/words/form.ts';
import TEXTS from './texts.json' with { type: 'json' };

type Language = keyof typeof TEXTS;

/**
 * The message at a field, with `%` for the suggested address: the page's own words, from attributes of
 * the field or of the script (`data-rcpt-checking` and so on), or in the language of the script, of the field, or in English.
 */
export function textOf(
  saying: FormReason | 'checking' | 'did_you_mean',
  field: Element,
  script: Element | null,
): string {
  const name = `data-rcpt-${saying.replaceAll('_', '-')}`;
  const lang = script?.getAttribute('lang') ?? field.closest('[lang]')?.getAttribute('lang') ?? '';
  const texts = TEXTS[languageOf(lang.slice(0, 2).toLowerCase())];
  return field.getAttribute(name) ?? script?.getAttribute(name) ?? texts[saying];
}

function languageOf(lang: string): Language {
  return lang === 'de' || lang === 'fr' || lang === 'es' ? lang : 'en';
}
