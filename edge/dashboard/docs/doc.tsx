import { CopyButton } from '../parts/copy-button.tsx';
import { LANGUAGES, sampleOf } from '../developers/samples.ts';
import { DOCS, type DocName } from '../route/paths.ts';
import { DocsFrame } from './docs-frame.tsx';
import { type Program, PROGRAMS } from './source/programs.ts';
import { SignUpForm } from './sign-up-form.tsx';

/** One page of the docs: a language, or what a sign-up form needs. */
export function Doc({ name }: { readonly name: DocName }) {
  return (
    <DocsFrame here={`/docs/${name}`}>
      <h1>{DOCS[name]}</h1>
      {name === 'sign-up-form' ? <SignUpForm /> : <Language name={name} />}
      {PROGRAMS[name].map((program) => (
        <ProgramText key={program.file} program={program} />
      ))}
    </DocsFrame>
  );
}

function Language({ name }: { readonly name: DocName }) {
  const language = LANGUAGES.find((known) => known.toLowerCase() === name);
  return (
    <>
      {language !== undefined && (
        <section aria-labelledby="first-call">
          <h2 id="first-call">A first call</h2>
          <Code label={`First call in ${language}`} text={sampleOf(language, location.origin, 'YOUR_API_KEY')} />
        </section>
      )}
      {name === 'typescript' ? (
        <p>
          For lists of any length there is the client <code>@rcpt/client</code>, for Node, Workers and browsers: it
          sends a list in parts, keeps to the limits, asks again, and continues after a crash without paying twice.
        </p>
      ) : (
        <p>
          The programs below use nothing but the standard library. Copy them, and set <code>RCPT_URL</code> to{' '}
          <code class="wrap">{location.origin}</code> and <code>RCPT_API_KEY</code> to your key.
        </p>
      )}
    </>
  );
}

function ProgramText({ program: { title, file, run, text } }: { readonly program: Program }) {
  const id = file.replace(/\W/g, '-');
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {run !== null && (
        <p>
          <code class="wrap">{run}</code>
        </p>
      )}
      <Code label={file} text={text.trimEnd()} />
    </section>
  );
}

function Code({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div class="sample">
      <div class="row">
        <span class="soft file-name">{label}</span>
        <CopyButton text={text} />
      </div>
      <pre tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
