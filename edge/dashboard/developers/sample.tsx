import { useId, useState } from 'preact/hooks';
import { CopyButton } from '../parts/copy-button.tsx';
import { type Language, LANGUAGES, sampleOf } from './samples.ts';

/** A first call in the reader's language, with the key in it. */
export function Sample({ apiKey }: { readonly apiKey: string }) {
  const [language, setLanguage] = useState<Language>('curl');
  const name = useId();
  const code = sampleOf(language, location.origin, apiKey);
  return (
    <div class="sample">
      <div class="row">
        <fieldset class="segments">
          <legend class="hidden">Language</legend>
          {LANGUAGES.map((known) => (
            <label key={known}>
              <input type="radio" name={name} checked={known === language} onChange={() => setLanguage(known)} />
              <span>{known}</span>
            </label>
          ))}
        </fieldset>
        <CopyButton text={code} />
      </div>
      <pre tabIndex={0} aria-label={`First call in ${language}`}>
        <code>{code}</code>
      </pre>
    </div>
  );
}
