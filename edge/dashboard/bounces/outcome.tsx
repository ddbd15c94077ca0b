import { type ComponentChildren } from 'preact';
import type { Parts, Report } from '../../../schema/list-job/bounce-report.ts';
import { ABOUT_SHARES, NO_REASON, PARTS, sentencesOf, shareText } from '../../../schema/list-job/bounce-words.ts';
import { numbers, Table } from '../parts/table.tsx';
import { count } from '../words/numbers.ts';
import { Button } from '../parts/button.tsx';

type Props = { readonly report: Report; readonly save: () => void };

/** What bounced of each verdict, and of its reasons. */
export function Outcome({ report, save }: Props) {
  const { statuses, all } = report;
  return (
    <section aria-labelledby="outcome-title">
      <div class="row">
        <h2 id="outcome-title">By verdict</h2>
        <Button kind="quiet" words="CSV" onPress={save} />
      </div>
      <p role="status">{sentencesOf(report, count).join(' ')}</p>
      <Table
        named={{ by: 'outcome-title' }}
        columns={['Verdict', numbers('Addresses'), ...['Bounced', 'Hard', 'Soft', 'Unspecified'].map(numbers)]}
      >
        {statuses
          .filter(({ addresses }) => addresses > 0)
          .flatMap(({ status, reasons, ...parts }) => [
            <Row key={status} name={<strong>{status}</strong>} parts={parts} />,
            ...reasons
              .filter(({ reason }) => reason !== null || reasons.length > 1)
              .map(({ reason, ...each }) => (
                <Row key={`${status} ${reason ?? ''}`} name={reason ?? NO_REASON} parts={each} />
              )),
          ])}
        <Row name={<strong>all</strong>} parts={all} />
      </Table>
      <p class="soft">{ABOUT_SHARES}</p>
    </section>
  );
}

function Row({ name, parts }: { readonly name: ComponentChildren; readonly parts: Parts }) {
  return (
    <tr>
      <td>{name}</td>
      <td class="number">{count(parts.addresses)}</td>
      {PARTS.map((part) => (
        <td key={part} class="number">
          {count(parts[part].count)}
          <br />
          <span class="soft">{shareText(parts[part])}</span>
        </td>
      ))}
    </tr>
  );
}
