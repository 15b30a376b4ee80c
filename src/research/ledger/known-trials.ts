import { DataError } from '../../domain/index.js';
import {
  LEDGER_VERSION,
  isFinished,
  isOfThisVersion,
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

/** Most trials that are kept of a search whose combinations are not known before it runs; older ones run again. */
const MOST_CANDIDATES = 100_000;

/** What a ledger knows of a sweep: give {@link look} to the ledger that is opened. */
export class KnownTrials {
  readonly #file: string;
  readonly #inputs: TrialInputs;
  readonly #wanted: ReadonlySet<string> | undefined;
  readonly #found = new Map<string, LedgerLine>();
  #others = 0;
  #before = 0;
  #differences: readonly string[] | undefined;

  /** `wanted`: ids of the combinations. @defaultValue all trials with the same inputs may be */
  constructor(file: string, inputs: TrialInputs, wanted?: ReadonlySet<string>) {
    this.#file = file;
    this.#inputs = inputs;
    this.#wanted = wanted;
  }

  /** @throws {DataError} `E_TRIALS_VERSION` when a trial of the sweep was written by another version. */
  readonly look = (line: LedgerLine): void => {
    if (this.#isWanted(line)) this.#keep(line);
    else if (line.strategy === this.#inputs.strategy) {
      if (line.data === this.#inputs.data && isFinished(line)) this.#before += 1;
      this.#compare(line);
    }
  };

  /** Trials that were found. */
  get count(): number {
    return this.#found.size;
  }

  /** Trials of the same strategy on the same data that came to something and are not of the sweep: the search did not begin with it. */
  countBefore(swept: Iterable<string>): number {
    const ids = new Set(swept);
    const unused = [...this.#found.values()].filter((line) => !ids.has(line.id));
    return this.#before + unused.filter(isFinished).length;
  }

  get others(): OtherTrials {
    return { count: this.#others, differences: this.#differences ?? [] };
  }

  /** @throws {DataError} `E_TRIALS_VERSION` as {@link look}. */
  get(id: string): TrialRecord | undefined {
    const line = this.#found.get(id);
    return line && (parseLine(line) ?? this.#refuseVersion());
  }

  has(id: string): boolean {
    return this.#found.has(id);
  }

  #isWanted(line: LedgerLine): boolean {
    if (this.#wanted !== undefined) return this.#wanted.has(line.id);
    const keys = Object.keys(INPUTS) as (keyof typeof INPUTS)[];
    return keys.every((key) => line[key] === this.#inputs[key]);
  }

  #keep(line: LedgerLine): void {
    if (!isOfThisVersion(line)) this.#refuseVersion();
    this.#found.set(line.id, line);
    if (this.#wanted !== undefined || this.#found.size <= MOST_CANDIDATES) return;
    const [oldest] = this.#found.values();
    if (oldest === undefined) return;
    this.#found.delete(oldest.id);
    if (isFinished(oldest)) this.#before += 1;
  }

  #refuseVersion(): never {
    throw new DataError(
      'E_TRIALS_VERSION',
      `${this.#file}: its trials are of another version than ${String(LEDGER_VERSION)}; name another --ledger`,
    );
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
