import { type Reason, REASON_ROWS, REASONS } from '../../../schema/words/reasons.ts';
import { features } from '../session/me.ts';
import { useResource } from '../session/load.ts';
import { Chip } from '../parts/chip.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Sample } from '../developers/sample.tsx';
import { count } from '../words/numbers.ts';
import { SANDBOX } from '../../../schema/words/sandbox.ts';
import { apiDocument } from './source/api-document.ts';
import { DocsFrame, useAnchor } from './docs-frame.tsx';
import { Errors } from './errors.tsx';
import { OperationEntry } from './operation.tsx';
import type { ApiDocument, FieldEntry } from './source/openapi.ts';
import { Inline, Prose } from './prose.tsx';
import { TryIt } from './try-it.tsx';

/** The API in general, from the deployment's own description. */
export function Docs() {
  const document = useResource(apiDocument);
  return (
    <DocsFrame here="/docs">
      <h1>Docs</h1>
      <Loaded load={document.load.value} reload={() => void document.reload()} as="page">
        {(known) => <Reference document={known} />}
      </Loaded>
    </DocsFrame>
  );
}

function Reference({
  document: { description, operations, fields, headers, errors },
}: {
  readonly document: ApiDocument;
}) {
  useAnchor();
  return (
    <>
      <Prose text={description} />
      <section aria-labelledby="first-call">
        <h2 id="first-call">First call</h2>
        <Sample apiKey="YOUR_API_KEY" />
        <p>
          A list of any length? The client <code>@rcpt/client</code> sends it in parts, keeps to the limits, and
          continues after a crash without paying twice. Does a person wait for the result? See{' '}
          <a href="/docs/sign-up-form">In a sign-up form</a>.
        </p>
      </section>
      <TryIt />
      <section aria-labelledby="calls">
        <h2 id="calls">Calls</h2>
        {operations.map((operation) => (
          <OperationEntry key={operation.id} operation={operation} />
        ))}
      </section>
      <section aria-labelledby="fields">
        <h2 id="fields">Fields of a result</h2>
        <FieldTable fields={fields} label="Fields of a result" kind="field" />
      </section>
      <Reasons />
      <Limits headers={headers} />
      <Sandbox />
      <Errors errors={errors} />
    </>
  );
}

type FieldTableProps = { readonly fields: readonly FieldEntry[]; readonly label: string; readonly kind: string };

function FieldTable({ fields, label, kind }: FieldTableProps) {
  return (
    <dl class="definitions" aria-label={label}>
      {fields.map(({ name, type, description }) => (
        <div key={name} id={`${kind}-${name}`}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <Inline text={description} /> <span class="soft">{type}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Reasons() {
  return (
    <section aria-labelledby="reasons">
      <h2 id="reasons">Reasons</h2>
      <p>
        <code>reason</code> says why an address is not plainly deliverable. It is null for a mailbox that exists, and
        for one that was refused.
      </p>
      <dl class="definitions">
        {REASONS.map((reason) => {
          const { title, meaning, advice } = REASON_ROWS[reason];
          return (
            <div key={reason} id={`reason-${reason}`}>
              <dt>
                <code>{reason}</code>
              </dt>
              <dd>
                <strong>{title}.</strong> {meaning} {advice} <span class="soft">{costOfReason(reason)}</span>
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

function costOfReason(reason: Reason): string {
  const { credit } = REASON_ROWS[reason];
  if (credit === 'free') return 'Free.';
  if (credit === 'returned') return 'The credit comes back if the result is unknown.';
  if (reason === 'timeout')
    return 'Charged, unless the address was never asked: then retry_after is set and the credit comes back.';
  return 'Charged.';
}

function Limits({ headers }: { readonly headers: readonly FieldEntry[] }) {
  const limits = features()?.limits ?? null;
  return (
    <section aria-labelledby="limits">
      <h2 id="limits">Limits</h2>
      {limits !== null && (
        <ul>
          <li>{count(limits.maxAddresses)} addresses in one request.</li>
          <li>{count(limits.maxBodyBytes)} bytes in one request.</li>
          {limits.ratePerMinute > 0 && <li>{count(limits.ratePerMinute)} requests a minute with one key.</li>}
          {limits.maxInFlight > 0 && (
            <li>{count(limits.maxInFlight)} addresses in progress at once for one account.</li>
          )}
          <li>{count(limits.deadlineS)} seconds for one request. What could not be checked by then costs nothing.</li>
        </ul>
      )}
      <h3>Headers</h3>
      <FieldTable fields={headers} label="Headers" kind="header" />
    </section>
  );
}

function Sandbox() {
  return (
    <section aria-labelledby="sandbox">
      <h2 id="sandbox">Sandbox</h2>
      <p>With a test key these addresses get the same answers every time. Nothing is probed and nothing is charged.</p>
      <ul class="rows">
        {SANDBOX.map(({ address, shows, status }) => (
          <li key={address}>
            <code class="address">{address}</code>
            <span class="soft">{shows}</span>
            <Chip status={status} />
          </li>
        ))}
      </ul>
    </section>
  );
}
