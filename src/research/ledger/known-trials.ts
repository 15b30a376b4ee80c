import { DataError } from '../../domain/index.js';
import { idDigits } from './trial-columns.js';
import {
  LEDGER_VERSION,
  isFinished,
  isOfThisVersion,
  parseLine,
  type LedgerLine,
  type TrialInputs,
  type TrialRecord,
} from './trial-record.js';

/** Inputs other than the parameters, in which two trials of one strategy can differ. */
const INPUTS = {
  data: 'data',
  ground: 'configuration',
  source: 'strategy source',
  engine: 'engine version',
} as const satisfies Partial<Record<keyof TrialInputs, string>>;

/** Trials of the same strategy with other inputs. None of them can replace a trial of the sweep. */
interface OtherTrials {
  readonly count: number;
  /** Differing inputs in words, for the trial with the fewest differences. */
  readonly differences: readonly string[];
}

/** Most trials that are kept for a search whose combinations are not known before it runs. Older ones run again. */
const MOST_CANDIDATES = 100_000;

/** Trials of a ledger that a sweep can use. Pass {@link look} as `onLine` when the ledger is opened. */
export class KnownTrials {
  readonly #file: string;
  readonly #inputs: TrialInputs;
  readonly #wanted: ReadonlySet<string> | undefined;
  readonly #found = new Map<string, LedgerLine>();
  /** Finished trials of the strategy on the same data that are not in `#found`: each counts once, also if the ledger has it twice. */
  readonly #before = new Set<bigint>();
  #others = 0;
  #differences: readonly string[] | undefined;

  /** `wanted`: ids of the combinations. @defaultValue all trials with the same inputs count */
  constructor(file: string, inputs: TrialInputs, wanted?: ReadonlySet<string>) {
    this.#file = file;
    this.#inputs = inputs;
    this.#wanted = wanted;
  }

  /** @throws {DataError} `E_TRIALS_VERSION` when a trial of the sweep was written by another version. */
  readonly look = (line: LedgerLine): void => {
    if (this.#isWanted(line)) this.#keep(line);
    else if (line.strategy === this.#inputs.strategy) {
      if (line.data === this.#inputs.data) this.#count(line);
      this.#compare(line);
    }
  };

  /** Number of trials that were found. */
  get count(): number {
    return this.#found.size;
  }

  /** Number of finished trials of the same strategy on the same data that are not in the sweep: they belong to its search too. */
  countBefore(swept: Iterable<string>): number {
    const before = new Set(this.#before);
    for (const line of this.#found.values()) if (isFinished(line)) before.add(idDigits(line.id));
    for (const id of swept) before.delete(idDigits(id));
    return before.size;
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
    this.#count(oldest);
  }

  #count(line: LedgerLine): void {
    if (isFinished(line)) this.#before.add(idDigits(line.id));
  }

  #refuseVersion(): never {
    throw new DataError(
      'E_TRIALS_VERSION',
      `${this.#file}: expected trials of version ${String(LEDGER_VERSION)}, received another version; name another --ledger`,
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
