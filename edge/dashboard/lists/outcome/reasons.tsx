import { Chip } from '../../parts/chip.tsx';
import { count, share } from '../../words/numbers.ts';
import { statusClass } from '../../words/verdict.ts';
import { type Group, inOrder } from './groups.ts';
import type { Filter } from './search.ts';

type Props = {
  readonly groups: readonly Group[];
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
};

/** How many addresses have which reason; each filters the table. */
export function Reasons({ groups, filter, setFilter }: Props) {
  const known = inOrder(byTitle(groups));
  const answered = known.reduce((sum, { size }) => sum + size, 0);
  const isChosen = ({ status, title }: Group): boolean => filter.title === title && filter.status === status;
  return (
    <ul>
      {known.map((group) => {
        const { status, title, advice, size } = group;
        const isPressed = isChosen(group);
        return (
          <li key={`${status} ${title}`}>
            <button
              type="button"
              class="reason"
              aria-pressed={isPressed}
              onClick={() =>
                setFilter(
                  isPressed
                    ? { ...filter, status: 'all', title: null }
                    : { ...filter, status: status ?? 'none', title },
                )
              }
            >
              {status !== null && <Chip status={status} />}
              <span class="reason-title">{title}</span>
              <span>
                {count(size)} <span class="soft">{share(size, answered)}</span>
              </span>
              <Meter part={size / answered} status={status ?? 'unknown'} />
              {isPressed && <span class="reason-advice">{advice}</span>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Groups of addresses with an answer: those that differ in their wait alone are one. */
function byTitle(groups: readonly Group[]): readonly Group[] {
  const found = new Map<string, Group>();
  for (const group of groups) {
    if (group.status === null || group.size === 0) continue;
    const name = `${group.status} ${group.title}`;
    found.set(name, { ...group, size: group.size + (found.get(name)?.size ?? 0) });
  }
  return [...found.values()];
}

function Meter({ part, status }: { readonly part: number; readonly status: string }) {
  return (
    <svg class="meter" viewBox="0 0 1000 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="1000" height="4" />
      <rect class={`fill ${statusClass(status)}`} width={Math.max(4, part * 1000)} height="4" />
    </svg>
  );
}
