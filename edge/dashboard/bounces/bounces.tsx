import { useState } from 'preact/hooks';
import { type Choose, compareBounces, type Side } from '../../../schema/list-job/bounces.ts';
import type { Report } from '../../../schema/list-job/bounce-report.ts';
import { rowsOf } from '../../../schema/list-job/bounce-words.ts';
import { csvLine } from '../../../schema/lists/writing/csv.ts';
import { download } from '../download/save.ts';
import { breather } from '../lists/reading/breather.ts';
import { ROWS_MAX, sourceOf } from '../lists/reading/open-file.ts';
import { useAction } from '../parts/action.ts';
import { Choice } from '../parts/choice.tsx';
import { Drop } from '../parts/drop.tsx';
import { TroubleNotice, Waiting } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { fileSize } from '../words/numbers.ts';
import { Outcome } from './outcome.tsx';
import { Button } from '../parts/button.tsx';

type BySide<Value> = Readonly<Record<Side, Value | null>>;
const NONE = { verified: null, bounces: null } as const;

const FILES = {
  verified: { title: 'The verified list', hint: 'As downloaded here, or written by the command rcpt.' },
  bounces: {
    title: 'What bounced',
    hint: 'As your mailing tool exports it: addresses, and a type or a code if there is one.',
  },
} as const satisfies Readonly<Record<Side, object>>;

const SIDES = ['verified', 'bounces'] as const satisfies readonly Side[];

/** Nothing says which column has the addresses: the reader is asked. */
class Unclear extends Error {
  readonly side: Side;
  readonly names: readonly string[];

  constructor(side: Side, names: readonly string[]) {
    super('Which column?');
    this.side = side;
    this.names = names;
  }
}

/** A verified list beside the bounces of its mailing: what bounced of each verdict. */
export function Bounces() {
  const [files, setFiles] = useState<BySide<File>>(NONE);
  const [columns, setColumns] = useState<BySide<number>>(NONE);
  const [report, setReport] = useState<Report | null>(null);
  const [unclear, setUnclear] = useState<Unclear | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const compare = useAction(async (chosen: BySide<number>) => {
    const { verified, bounces } = files;
    if (verified === null || bounces === null) return;
    forget();
    const choose: Choose = (side, { names }, _sample, found) => {
      const column = chosen[side] ?? found;
      if (column === null) throw new Unclear(side, names);
      return column;
    };
    const [list, tool] = [verified, bounces].map((file) => sourceOf(file, file.name));
    if (list === undefined || tool === undefined) return;
    try {
      setReport(await compareBounces(list, tool, choose, { rowsMax: ROWS_MAX, pause: breather() }));
    } catch (error) {
      if (!(error instanceof Unclear)) throw error;
      setUnclear(error);
    }
  });
  const forget = (): void => {
    setReport(null);
    setUnclear(null);
    setRefused(null);
  };
  const take = (side: Side, file: File): void => {
    if (compare.isBusy.value) return;
    setFiles({ ...files, [side]: file });
    setColumns({ ...columns, [side]: null });
    forget();
  };
  const choose = (side: Side, column: number): void => {
    const chosen = { ...columns, [side]: column };
    setColumns(chosen);
    void compare.run(chosen);
  };
  return (
    <>
      <h1>What bounced</h1>
      <p class="soft">
        Compare a verified list with the bounces of your mailing, and see how often each verdict was right. Both files
        stay in this browser: nothing is sent, and it costs nothing.
      </p>
      {SIDES.map((side) => {
        const { title, hint } = FILES[side];
        const file = files[side];
        return (
          <Drop
            key={side}
            title={title}
            hint={file === null ? hint : `${file.name}, ${fileSize(file.size)}`}
            onFile={(given) => take(side, given)}
            onRefused={setRefused}
          />
        );
      })}
      {refused !== null && <Notice tone="wrong" title={refused} />}
      {unclear !== null && <ColumnField unclear={unclear} onColumn={choose} />}
      <div class="row">
        <Button
          words="Compare"
          isOff={files.verified === null || files.bounces === null}
          busy={compare}
          onPress={() => compare.run(columns)}
        />
      </div>
      {compare.isBusy.value && <Waiting as="part" />}
      {compare.trouble.value !== null && <TroubleNotice trouble={compare.trouble.value} />}
      {report !== null && <Outcome report={report} save={() => save(report)} />}
    </>
  );
}

function save(report: Report): void {
  const lines = rowsOf(report).map((cells) => csvLine(cells, ',', '\r\n'));
  download(new Blob(lines, { type: 'text/csv;charset=utf-8' }), 'rcpt-bounces.csv');
}

type ColumnFieldProps = { readonly unclear: Unclear; readonly onColumn: (side: Side, column: number) => void };

function ColumnField({ unclear: { side, names }, onColumn }: ColumnFieldProps) {
  return (
    <Choice
      label={`Column with the addresses in “${FILES[side].title}”`}
      hint="Nothing says which column holds them: choose one."
      placeholder="Choose a column"
      options={names.map((name, column) => [String(column), name === '' ? `Column ${column + 1}` : name])}
      value=""
      onValue={(column) => onColumn(side, Number(column))}
    />
  );
}
