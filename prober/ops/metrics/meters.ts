import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** From a look-up in the neighbourhood to the longest time-out. */
const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60];

/** What a gauge shows: its labels, and the value. */
export type Reading<Label extends string> = readonly [labels: Readonly<Record<Label, string>>, value: number];

/** Makes the meters of one registry, all with our prefix. */
export class Meters {
  readonly registry = new Registry();

  counter<Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name: `rcpt_${name}`, help, labelNames, registers: [this.registry] });
  }

  histogram<Label extends string>(name: string, help: string, ...labelNames: Label[]): Histogram<Label> {
    return new Histogram({ name: `rcpt_${name}`, help, labelNames, registers: [this.registry], buckets: SECONDS });
  }

  gauge<Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> {
    return new Gauge({ name: `rcpt_${name}`, help, labelNames, registers: [this.registry] });
  }

  /** A gauge that is read whenever somebody asks for the page. */
  asked(name: string, help: string, read: () => number): void {
    this.askedEach(name, help, [], () => [[{}, read()]]);
  }

  /** The same with labels: those that are not read any more keep their last value. */
  askedEach<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    read: () => Iterable<Reading<Label>>,
  ): void {
    const registers = [this.registry];
    void new Gauge<Label>({
      name: `rcpt_${name}`,
      help,
      labelNames,
      registers,
      collect() {
        for (const [labels, value] of read()) this.set(labels, value);
      },
    });
  }
}
