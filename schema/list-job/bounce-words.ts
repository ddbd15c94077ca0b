import type { Part, Parts, Report } from './bounce-report.ts';

// A comparison as people and programs read it, in pages and command. Pure.

/** Of a group: what bounced in all, and by kind. */
export const PARTS = ['bounced', 'hard', 'soft', 'unspecified'] as const;

export const NO_REASON = 'without a reason';
export const ABOUT_SHARES =
  'Shares are of the addresses with that verdict, with 95 % Wilson intervals. What you did not mail could not bounce.';

type Write = (count: number) => string;

/** What the two files hold, in a sentence for each, without their names. @param write a count as the reader writes it */
export function sentencesOf({ verified, bounces }: Report, write: Write): readonly [verified: string, bounces: string] {
  const { hard, soft, unspecified } = bounces.notInList;
  const addresses = `${write(verified.addresses)} ${verified.addresses === 1 ? 'address' : 'addresses'} with a verdict`;
  const besides = (counts: ReadonlyArray<readonly [number: number, one: string, more: string]>): string => {
    const some = counts.filter(([number]) => number > 0);
    const said = some.map(([number, one, more]) => `${write(number)} ${number === 1 ? one : more}`);
    return said.length === 0 ? '.' : `; ${said.join(', ')}.`;
  };
  return [
    addresses +
      besides([
        [verified.duplicates, 'row repeats one', 'rows repeat one'],
        [verified.withoutVerdict, 'row has none', 'rows have none'],
      ]),
    `${write(bounces.addresses)} of them bounced` +
      besides([
        [
          hard + soft + unspecified,
          'other address bounced that is not in the list',
          'other addresses bounced that are not in the list',
        ],
        [bounces.duplicates, 'entry repeats one', 'entries repeat one'],
        [bounces.noBounces, 'entry is no bounce', 'entries are no bounces'],
        [bounces.withoutAddress, 'entry has no address', 'entries have no address'],
      ]),
  ];
}

/** `0.50 % (0.37–0.68)`; empty for a part of nothing. */
export function shareText({ share, low, high }: Part): string {
  if (share === null || low === null || high === null) return '';
  return `${percent(share)} % (${percent(low)}–${percent(high)})`;
}

function percent(value: number): string {
  return (value * 100).toFixed(2);
}

/**
 * As rows of a table with a header: each status, with its reasons below it, all, and what is not in the list. Shares are
 * numbers from 0 to 1. Pure.
 */
export function rowsOf({ statuses, all, bounces }: Report): readonly (readonly string[])[] {
  const row = (status: string, reason: string, parts: Parts): string[] => [
    status,
    reason,
    String(parts.addresses),
    ...PARTS.flatMap((name) => {
      const { count, share, low, high } = parts[name];
      return [String(count), ...[share, low, high].map((value) => value?.toFixed(6) ?? '')];
    }),
  ];
  const { hard, soft, unspecified } = bounces.notInList;
  const strangers = [hard + soft + unspecified, hard, soft, unspecified].map(String);
  return [
    [
      'status',
      'reason',
      'addresses',
      ...PARTS.flatMap((name) => [name, `${name}_share`, `${name}_low`, `${name}_high`]),
    ],
    ...statuses.flatMap(({ status, reasons, ...parts }) => [
      row(status, 'all', parts),
      ...reasons.map(({ reason, ...each }) => row(status, reason ?? '', each)),
    ]),
    row('all', 'all', all),
    ['not_in_list', '', '', ...strangers.flatMap((count) => [count, '', '', ''])],
  ];
}
