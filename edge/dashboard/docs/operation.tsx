import type { DocumentedResponse, Example, Operation } from './source/openapi.ts';
import { Inline, Prose } from './prose.tsx';

/** One call: what it does, what is sent, and each response. */
export function OperationEntry({ operation }: { readonly operation: Operation }) {
  const { method, path, summary, description, request, responses } = operation;
  return (
    <article class="card operation" id={`call-${operation.id}`}>
      <h3>
        <span class="method">{method}</span> <code class="wrap">{path}</code>
      </h3>
      <p>
        <strong>{summary}</strong>
      </p>
      <Prose text={description} />
      {request.map((example) => (
        <Code key={example.title} example={{ ...example, title: 'Request' }} />
      ))}
      {responses.map((response) => (
        <ResponseEntry key={response.status} response={response} />
      ))}
    </article>
  );
}

function ResponseEntry({ response: { status, description, examples } }: { readonly response: DocumentedResponse }) {
  return (
    <details>
      <summary>
        <strong>{status}</strong>{' '}
        <span class="soft">
          <Inline text={description} />
        </span>
      </summary>
      {examples.map((example) => (
        <Code key={example.title} example={example} />
      ))}
    </details>
  );
}

export function Code({ example: { title, text } }: { readonly example: Example }) {
  return (
    <figure class="code">
      <figcaption class="soft">{title}</figcaption>
      <pre tabIndex={0} aria-label={title}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
