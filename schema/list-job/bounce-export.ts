import { heldInRow } from '../lists/columns/address.ts';
import type { Row } from '../lists/reading/row.ts';
import { isRecord, parseRecord } from '../client/wire/read-line.ts';
import { type BounceKind, kindReader } from './bounce-kind.ts';

/** What one entry of an export says. `email` null: it names no address, or several. */
export type Bounce = { readonly email: string | null; readonly kind: BounceKind | 'no bounce' };

type Entry = Pick<Row, 'cells' | 'raw'>;
type Columns = {
  /** May grow while rows are read. */
  readonly names: readonly string[];
  readonly width: number;
  readonly hasHeader: boolean;
};

/** A notification of Amazon SES, as it is and in envelopes: it may be about several recipients. */
const SES = '"bouncedRecipients"';
const SES_NAMES = ['bounceType', 'status', 'diagnosticCode'];
const DEPTH_MAX = 5;

/**
 * @param column of the addresses; null: all rows are notifications
 * @param sample rows from the top
 */
export function bounceReader(
  { names, width, hasHeader }: Columns,
  column: number | null,
  sample: ReadonlyArray<readonly string[]>,
): (row: Entry) => readonly Bounce[] {
  const kindOf = kindReader(names, hasHeader, sample);
  const kindOfRecipient = kindReader(SES_NAMES, true, []);
  return (row) => {
    const { cells } = row;
    const notification = notificationIn(row);
    if (notification !== null)
      return notification.recipients.map(({ emailAddress, status, diagnosticCode }) => ({
        email: heldEmail([textOf(emailAddress)], 0, 1),
        kind: kindOfRecipient([notification.type, textOf(status), textOf(diagnosticCode)]),
      }));
    return [{ email: column === null ? null : heldEmail(cells, column, width), kind: kindOf(cells) }];
  };
}

/** Whether a row is such a notification, whose columns are not those of an export. */
export function isNotification(row: Entry): boolean {
  return notificationIn(row) !== null;
}

function heldEmail(cells: readonly string[], column: number, width: number): string | null {
  const held = heldInRow(cells, column, width);
  return held.kind === 'address' ? held.email : null;
}

type Notification = { readonly type: string; readonly recipients: ReadonlyArray<Readonly<Record<string, unknown>>> };

/** Of a line of JSON, whose inner objects are columns, the line itself is read. */
function notificationIn({ cells, raw }: Entry): Notification | null {
  const cell = (raw === null ? cells : [raw]).find((text) => text.replaceAll('\\"', '"').includes(SES));
  return cell === undefined ? null : notificationOf(parseRecord(cell), 0);
}

function notificationOf(value: unknown, depth: number): Notification | null {
  if (typeof value === 'string' && value.includes(SES)) return notificationOf(parseRecord(value), depth + 1);
  if (!isRecord(value) || depth > DEPTH_MAX) return null;
  const { bounceType, bouncedRecipients } = value;
  if (Array.isArray(bouncedRecipients))
    return { type: textOf(bounceType), recipients: bouncedRecipients.filter(isRecord) };
  for (const inner of Object.values(value)) {
    const found = notificationOf(inner, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
