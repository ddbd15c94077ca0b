import { SANDBOX } from '../../../../schema/words/sandbox.ts';
import { countStatuses } from '../../../../schema/words/status-counts.ts';
import { STATUSES } from '../../../../schema/words/verdicts.ts';
import { Chip } from '../../parts/chip.tsx';
import { StackedBar } from '../../parts/stacked-bar.tsx';
import { Table } from '../../parts/table.tsx';

/** Two of each status: enough to see what there is. */
const SHOWN = STATUSES.flatMap((known) => SANDBOX.filter(({ status }) => status === known).slice(0, 2));

/** What a list comes to, drawn as a list of the reader's would be: of the sandbox's addresses. */
export function Outcome() {
  return (
    <section class="card" aria-labelledby="outcome-title">
      <h2 id="outcome-title">What you get for a list</h2>
      <p class="soft">Here of {SANDBOX.length} addresses of our sandbox.</p>
      <StackedBar counts={countStatuses(SANDBOX.map(({ status }) => [status, 1] as const))} />
      <Table named={{ by: 'outcome-title' }} columns={['Address', 'Result', 'Reason']} kind="findings">
        {SHOWN.map(({ address, status, shows }) => (
          <tr key={address}>
            <th scope="row" class="address">
              {address}
              <span class="below">{shows}</span>
            </th>
            <td>
              <Chip status={status} />
            </td>
            <td class="soft">{shows}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
