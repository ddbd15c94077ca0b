import { LINK_VERSION, type MxRow, REPORT_BYTES_MAX, type ToEdge } from '../../schema/link.ts';
import type { Item } from './jobs.ts';

type EvidenceFrame = Extract<ToEdge, { type: 'evidence' }>;

/** The numbers of the MX rows sent under one job, by their text. */
export type RowNumbers = Map<string, number>;

/** The maximum size of one item without its MX: 100 of them, with as many rows as fit, are a frame. */
const ITEM_BYTES_MAX = 600;
const ITEMS_PER_FRAME = 100;
const ROWS_BYTES = REPORT_BYTES_MAX - ITEMS_PER_FRAME * ITEM_BYTES_MAX - 5_000;

/**
 * Evidence as frames that the edge accepts: each list of MX is sent once, and referred to by number after that. Numbers
 * follow the order of the items, so that a job sent again gets the same. @param rows what was sent before; it grows
 */
export function evidenceFrames(job: string, items: readonly Item[], rows: RowNumbers): readonly EvidenceFrame[] {
  const frames: EvidenceFrame[] = [];
  let frame: { mx: MxRow[]; items: EvidenceFrame['items']; bytes: number } = { mx: [], items: [], bytes: 0 };
  const close = (): void => {
    const { bytes: _, ...content } = frame;
    if (frame.items.length > 0) frames.push({ v: LINK_VERSION, type: 'evidence', job, ...content });
    frame = { mx: [], items: [], bytes: 0 };
  };
  for (const { index, evidence } of items) {
    const { mx, mxFound, ...rest } = evidence;
    const text = `${mxFound} ${mx.join(' ')}`;
    const known = rows.get(text);
    const n = known ?? rows.size;
    if (frame.items.length === ITEMS_PER_FRAME || frame.bytes > ROWS_BYTES) close();
    if (known === undefined) {
      rows.set(text, n);
      frame.mx.push({ n, mx, mxFound });
      frame.bytes += text.length + 100;
    }
    frame.items.push({ index, evidence: { ...rest, mx: n } });
  }
  close();
  return frames;
}
