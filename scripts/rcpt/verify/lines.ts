import { estimateOf, pointsOff } from '../../../schema/list-job/sample.ts';
import type { StatusCounts } from '../../../schema/words/status-counts.ts';
import { count, duration, several } from '../words/words.ts';
import type { Figures, Plan } from './figures.ts';

// What people read. Pure.

export function planLines(plan: Plan): readonly string[] {
  const { input, column, rows, addresses, unclear, distinct, known, ...money } = plan;
  const different = distinct === addresses ? '' : `, ${count(distinct)} of them different`;
  const { sample, creditsAtMostForAll: all } = money;
  const part = sample === null ? '' : ` for ${count(sample)} addresses at random, and ${count(all)} for all`;
  const cost = `It costs at most ${several(money.creditsAtMost, 'credit')}${part}.`;
  const has = money.credits === null ? '' : ` The account has ${count(money.credits)}.`;
  const again = money.rounds === 1 ? '' : ' Asking again may cost more.';
  const ceiling =
    money.maxCredits === null
      ? ''
      : ` No more than ${count(money.maxCredits)} will be spent${money.spent === 0 ? '' : `, ${count(money.spent)} of which are spent`}.`;
  return [
    `${input}: ${several(rows, 'row')}; ${several(addresses, 'address', 'addresses')} in the column ${JSON.stringify(column)}${different}.`,
    ...(unclear === 0
      ? []
      : [
          `${several(unclear, 'row')} with several addresses in one cell: put each in a row of its own to verify them.`,
        ]),
    ...(money.unwanted === 0 ? [] : [`${several(money.unwanted, 'row')} left out by --not-in.`]),
    ...(known === 0 ? [] : [`${several(known, 'row')} already in the journal, at no cost.`]),
    `${cost}${again}${has}${ceiling}`,
  ];
}

/** One line. @param perSecond the rate so far, and @param left in seconds; null: nobody can tell yet */
export function progressLine(figures: Figures, perSecond: number | null, left: number | null): string {
  const { done, total, waiting, waitingS, pausedS, conflicts, charged } = figures;
  const share = total === 0 ? 100 : Math.floor((done / total) * 100);
  const parts = [
    `${count(done)} of ${count(total)} (${share} %)`,
    ...(perSecond === null ? [] : [`${perSecond < 10 ? perSecond.toFixed(1) : count(perSecond)}/s`]),
    ...(left === null ? [] : [`${duration(left)} left`]),
    several(charged, 'credit'),
    ...(conflicts === 0 ? [] : [`${several(conflicts, 'interrupted request')} still held by the service, up to 4 min`]),
    ...(pausedS === 0 ? [] : [`the service takes the next request in ${duration(pausedS)}`]),
    ...(waiting === 0 ? [] : [`${count(waiting)} to be asked again, the first in ${duration(waitingS)}`]),
    // Last, because a narrow terminal cuts the end off.
    verdictWords(figures.verdicts),
  ];
  return parts.join(' · ');
}

function verdictWords(verdicts: StatusCounts): string {
  return [...verdicts].map(([status, rows]) => `${status} ${count(rows)}`).join(', ');
}

/** What a run came to. */
export function summaryLines(plan: Plan, figures: Figures, seconds: number): readonly string[] {
  return plan.sample === null ? wholeLines(plan, figures, seconds) : sampleLines(plan, figures, seconds);
}

/** What the rest would cost, going by what was answered; null: nobody can say. */
export function estimateOfRest(plan: Plan, { done, charged }: Figures): number | null {
  return estimateOf(plan.creditsAtMostForAll - done, { answered: plan.knownDistinct + done, charged });
}

function sampleLines(plan: Plan, figures: Figures, seconds: number): readonly string[] {
  const { done, verdicts, charged, returned } = figures;
  const shares = [...verdicts].map(([status, rows]) => `${status} ${percent(rows, done)} %`);
  const left = plan.creditsAtMostForAll - done;
  const about = estimateOfRest(plan, figures);
  if (done === 0) return ['No address of the sample was answered.', `${several(charged, 'credit')} charged.`];
  const cost = about === null ? '' : `about ${several(about, 'credit')}, and `;
  return [
    `${several(done, 'address', 'addresses')} of the sample answered in ${duration(seconds)}: ${shares.join(', ')}, each within ${pointsOff(done)} points.`,
    `${several(charged, 'credit')} charged, ${count(returned)} returned.`,
    `The other ${several(left, 'address', 'addresses')} would cost ${cost}${count(left)} at most.`,
  ];
}

/** A part is neither nothing nor the whole. */
function percent(part: number, all: number): number {
  if (part === 0 || part === all) return part === 0 ? 0 : 100;
  return Math.min(99, Math.max(1, Math.round((part / all) * 100)));
}

function wholeLines(plan: Plan, figures: Figures, seconds: number): readonly string[] {
  const { done, total, verdicts, askedAgain, charged, returned, unconfirmed } = figures;
  const without = plan.rows - plan.addresses - plan.unclear - plan.unwanted - plan.excluded - plan.none;
  return [
    `${done === total ? several(total, 'row') : `${count(done)} of ${several(total, 'row')}`} answered in ${duration(seconds)}: ${verdictWords(verdicts)}.`,
    `${several(charged, 'credit')} charged, ${count(returned)} returned.${askedAgain === 0 ? '' : ` ${several(askedAgain, 'row')} asked more than once.`}`,
    ...(unconfirmed === 0
      ? []
      : [`Requests that were cut off may have cost up to ${several(unconfirmed, 'credit')} more.`]),
    ...(plan.excluded === 0
      ? []
      : [`${several(plan.excluded, 'row')} left as ${plan.excluded === 1 ? 'it was' : 'they were'} by --only.`]),
    ...(plan.none === 0 ? [] : [`${several(plan.none, 'row')} with something other than an address, never asked.`]),
    ...(without === 0 ? [] : [`${several(without, 'row')} without an address.`]),
  ];
}
