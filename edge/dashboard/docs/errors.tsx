import { ERROR_CODE_ROWS, ERROR_CODES } from '../../../schema/words/error-codes.ts';
import type { DocumentedError } from './source/openapi.ts';
import { Code } from './operation.tsx';
import { Inline } from './prose.tsx';

/** Every refusal of every call, by its status. */
export function Errors({ errors }: { readonly errors: readonly DocumentedError[] }) {
  return (
    <section aria-labelledby="errors">
      <h2 id="errors">Errors</h2>
      <p>
        An error has a message for people in <code>error</code>, and most have a <code>code</code> for programs.
      </p>
      {errors.map(({ status, descriptions, examples }) => (
        <article key={status} class="card" id={`error-${status}`}>
          <h3>{status}</h3>
          {descriptions.map((description) => (
            <p key={description}>
              <Inline text={description} />
            </p>
          ))}
          <Codes status={status} />
          {examples.length > 0 && (
            <details>
              <summary>{examples.length === 1 ? 'Example' : 'Examples'}</summary>
              {examples.map((example) => (
                <Code key={`${example.title} ${example.text}`} example={example} />
              ))}
            </details>
          )}
        </article>
      ))}
    </section>
  );
}

/** The codes that a status has, and what to do about each. */
function Codes({ status }: { readonly status: string }) {
  const codes = ERROR_CODES.filter((code) => String(ERROR_CODE_ROWS[code].status) === status);
  if (codes.length === 0) return null;
  return (
    <dl class="definitions">
      {codes.map((code) => (
        <div key={code}>
          <dt>
            <code>{code}</code>
          </dt>
          <dd>
            <Inline text={ERROR_CODE_ROWS[code].whatToDo} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
