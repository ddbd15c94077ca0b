import { useId, useState } from 'preact/hooks';
import { Code } from '../parts/code.tsx';
import { Segments } from '../parts/segments.tsx';
import { type Language, PROGRAMS } from './programs.ts';

/** An address of the sandbox: a test key gives its verdict for nothing. */
const ADDRESS = 'ok@deliverable.test';
const LANGUAGES: readonly Language[] = ['curl', 'Python', 'Go', 'PHP', 'Ruby', 'Java'];

/** A first call in the reader's language, with the key in it. */
export function Sample({ apiKey }: { readonly apiKey: string }) {
  const [language, setLanguage] = useState<Language>('curl');
  const name = useId();
  const { run, text } = PROGRAMS[language];
  const command = `export RCPT_URL=${location.origin}\nexport RCPT_API_KEY=${apiKey}\necho ${ADDRESS} | ${run}`;
  return (
    <div class="sample">
      <Segments
        legend="Language"
        name={name}
        choices={LANGUAGES.map((known) => [known, known] as const)}
        value={language}
        onValue={setLanguage}
      />
      <Code label={`First call in ${language}`} words="Copy the program" text={text.trimEnd()} />
      <Code label="How it is run" words="Copy the commands" text={command} />
    </div>
  );
}
