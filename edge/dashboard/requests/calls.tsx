import type { CallLog } from '../../../schema/pages-api.ts';
import { numbers, Table } from '../parts/table.tsx';
import { atMoment, count } from '../words/numbers.ts';
import { answerWords, keyWords } from './words.ts';

type Props = Pick<CallLog, 'rows' | 'labels'>;

/** One line for each call, newest first. */
export function Calls({ rows, labels }: Props) {
  return (
    <Table
      named={{ by: 'calls-title' }}
      columns={['When', 'Key', 'Answer', numbers('Entries'), numbers('Credits'), numbers('ms')]}
      kind="calls"
    >
      {rows.map((row) => (
        <tr key={row.requestId}>
          <td>
            {atMoment(row.at)}
            <span class="below">{keyWords(row, labels)}</span>
            <code class="soft">{row.requestId}</code>
          </td>
          <td class="wrap">{keyWords(row, labels)}</td>
          <td>
            {row.status} {answerWords(row)}
            {row.times > 1 && ` × ${count(row.times)}`}
            {row.code !== null && <span class="soft">{row.code}</span>}
          </td>
          <td class="number">{row.entries === null ? '–' : count(row.entries)}</td>
          <td class="number">
            {row.charged === null ? '–' : count(row.charged)}
            {row.returned !== null && row.returned > 0 && <span class="soft">{count(row.returned)} returned</span>}
          </td>
          <td class="number">{row.ms === null ? '–' : count(row.ms)}</td>
        </tr>
      ))}
    </Table>
  );
}
