import { serviceTrouble } from '../session/service-state.ts';
import type { FieldName } from '../../../schema/words/fields.ts';
import type { OpenResult } from '../../../schema/words/result.ts';
import { Chip } from './chip.tsx';
import { type Line, Receipt } from './receipt.tsx';
import { costOf, explain } from '../../../schema/words/cases.ts';
import { statusClass, waitOf } from '../words/verdict.ts';
import { Button } from './button.tsx';

type Props = {
  readonly email: string;
  /** Null before it is known. */
  readonly result: OpenResult | null;
  readonly isRunning: boolean;
  /** Verifies the suggested address; null: the suggestion is only shown. */
  readonly verify: ((email: string) => void) | null;
};

export function ResultCard({ email, result, isRunning, verify }: Props) {
  if (result === null)
    return (
      <div class="card result" role="status">
        <p class="address">{email}</p>
        <p class="soft">
          {isRunning ? (serviceTrouble.value === null ? 'Asking its mail server …' : 'Not asked yet.') : 'Not asked.'}
        </p>
      </div>
    );
  const { title, meaning, advice } = explain(result);
  const suggestion = result.did_you_mean;
  const again = waitOf(result);
  return (
    <article class={`card result ${statusClass(result.status)}`}>
      <p class="address">{email}</p>
      <div class="row">
        <Chip status={result.status} />
        <h2>{title}</h2>
      </div>
      <p>{meaning}</p>
      <p>
        <strong>{advice}</strong>
        {again !== null && <span class="soft"> {again}.</span>}
      </p>
      {suggestion !== null && (
        <p class="row">
          Did you mean{' '}
          {verify === null ? (
            <strong>{suggestion}?</strong>
          ) : (
            <Button kind="quiet" words={`${suggestion}?`} onPress={() => verify(suggestion)} />
          )}
        </p>
      )}
      <details>
        <summary>What was seen</summary>
        <Seen result={result} />
      </details>
    </article>
  );
}

/** The signals that the verdict was made from. */
export function Seen({ result }: { readonly result: OpenResult }) {
  const seen = Object.values(SEEN).flatMap((lineOf) => (lineOf === null ? [] : [lineOf(result)]));
  const cost = { label: 'Cost', value: COSTS[costOf(result) ?? 'not_known'] };
  return <Receipt label="What was seen" lines={[...seen, cost]} />;
}

/** The line of each field, in their order; null: the card says it elsewhere, or it says nothing to a person. */
const SEEN: Readonly<Record<FieldName, ((result: OpenResult) => Line) | null>> = {
  email: null,
  status: null,
  reason: null,
  retry_after: null,
  did_you_mean: null,
  catch_all: null,
  syntax: null,
  mx_found: null,
  smtp_check: null,
  smtp_enhanced_code: null,
  score: ({ score }) => ({ label: 'Score', value: `${score} of 100` }),
  result: ({ result }) => ({ label: 'Result', value: result }),
  smtp_code: (result) => ({ label: 'Reply code', value: replyOf(result) }),
  mx_records: ({ mx_records }) => ({ label: 'Mail server', value: mx_records[0] ?? 'none' }),
  disposable: ({ disposable }) => ({ label: 'Disposable mailbox', value: yesOrNo(disposable) }),
  role_based: ({ role_based }) => ({ label: 'Role address', value: yesOrNo(role_based) }),
  free_provider: ({ free_provider }) => ({ label: 'Free mailbox provider', value: yesOrNo(free_provider) }),
};

function replyOf({ smtp_code, smtp_enhanced_code }: OpenResult): string {
  return smtp_code === null ? 'none' : [smtp_code, smtp_enhanced_code].filter((part) => part !== null).join(' ');
}

const COSTS = {
  free: 'nothing',
  returned: '1 credit, returned',
  charged: '1 credit',
  not_known: '1 credit at most',
} as const;

function yesOrNo(is: boolean): string {
  return is ? 'yes' : 'no';
}
