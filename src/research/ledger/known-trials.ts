import { DataError } from '../../domain/index.js';
import {
  LEDGER_VERSION,
  isFinished,
  parseLine,
  type LedgerLine,
  type TrialInputs,
  type TrialRecord,
} from './trial-record.js';

/** What two trials of one strategy can differ in beside their parameters. */
const INPUTS = {
  data: 'data',
  ground: 'configuration',
  source: 'strategy source',
  engine: 'engine version',
} as const satisfies Partial<Record<keyof TrialInputs, string>>;

/** Trials of the same strategy on other inputs: none of them stands for a trial of the sweep. */
export interface OtherTrials {
  readonly count: number;
  /** What differs, in words, from the trial that differs least. */
  readonly differences: readonly string[];
}

/** What a ledger knows of a sweep: give {@link look} to the ledger that is opened. */
export class KnownTrials {
  readonly #file: string;
  readonly #inputs: TrialInputs;
  readonly #wanted: ReadonlySet<string>;
  readonly #found = new Map<string, TrialRecord>();
  #others = 0;
  #before = 0;
  #differences: readonly string[] | undefined;

  constructor(file: string, inputs: TrialInputs, wanted: ReadonlySet<string>) {
    this.#file = file;
    this.#inputs = inputs;
    this.#wanted = wanted;
  }

  /** @throws {DataError} `E_TRIALS_VERSION` when a trial of the sweep was written by another version. */
  readonly look = (line: LedgerLine): void => {
    if (this.#wanted.has(line.id)) this.#keep(line);
    else if (line.strategy === this.#inputs.strategy) {
      if (line.data === this.#inputs.data && isFinished(line)) this.#before += 1;
      this.#compare(line);
    }
  };

  /** Trials of the sweep that were found. */
  get count(): number {
    return this.#found.size;
  }

  /** Trials of the same strategy on the same data that came to something and are not of the sweep: the search did not begin with it. */
  get before(): number {
    return this.#before;
  }

  get others(): OtherTrials {
    return { count: this.#others, differences: this.#differences ?? [] };
  }

  get(id: string): TrialRecord | undefined {
    return this.#found.get(id);
  }

  #keep(line: LedgerLine): void {
    const record = parseLine(line);
    if (record === undefined) {
      throw new DataError(
        'E_TRIALS_VERSION',
        `${this.#file}: its trials are of another version than ${String(LEDGER_VERSION)}; name another --ledger`,
      );
    }
    this.#found.set(line.id, record);
  }

  #compare(line: LedgerLine): void {
    const keys = Object.keys(INPUTS) as (keyof typeof INPUTS)[];
    const differences = keys
      .filter((key) => line[key] !== this.#inputs[key])
      .map((key) => INPUTS[key]);
    if (differences.length === 0) return;
    this.#others += 1;
    if (differences.length <= (this.#differences?.length ?? Infinity))
      this.#differences = differences;
  }
}
