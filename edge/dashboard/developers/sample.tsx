import { useId, useState } from 'preact/hooks';
import { CopyButton } from '../parts/copy-button.tsx';
import { Segments } from '../parts/segments.tsx';
import { type Language, LANGUAGES, sampleOf } from './samples.ts';

/** A first call in the reader's language, with the key in it. */
export function Sample({ apiKey }: { readonly apiKey: string }) {
  const [language, setLanguage] = useState<Language>('curl');
  const name = useId();
  const code = sampleOf(language, location.origin, apiKey);
  return (
    <div class="sample">
      <div class="row">
        <Segments
          legend="Language"
          name={name}
          choices={LANGUAGES.map((known) => [known, known] as const)}
          value={language}
          onValue={setLanguage}
        />
        <CopyButton text={code} />
      </div>
      <pre tabIndex={0} aria-label={`First call in ${language}`}>
        <code>{code}</code>
      </pre>
    </div>
  );
}
