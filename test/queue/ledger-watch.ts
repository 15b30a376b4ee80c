import { existsSync, readFileSync } from 'node:fs';
import { ReturnsReader } from '../../src/research/index.js';
import { parseLine, readLine, type TrialRecord } from '../../src/research/ledger/trial-record.js';

type Comparable = Readonly<TrialRecord>;

/** Compares a ledger with that of a search in one process, while it is written. Each line must equal its counterpart, and old lines must stay. */
export class LedgerWatch {
  readonly #file: string;
  readonly #expected: ReadonlyMap<string, Comparable>;
  readonly #expectedReturns: ReadonlyMap<string, readonly number[]>;
  readonly #seen = new Map<string, TrialRecord>();
  #prefix = '';
  /** Differences found so far. */
  readonly wrong: string[] = [];
  /** How often a look found new lines. */
  looks = 0;

  private constructor(
    file: string,
    expected: ReadonlyMap<string, TrialRecord>,
    returns: ReadonlyMap<string, readonly number[]>,
  ) {
    this.#file = file;
    this.#expected = new Map([...expected].map(([id, record]) => [id, comparable(record)]));
    this.#expectedReturns = returns;
  }

  /** `reference`: the ledger of the search in one process. */
  static async open(file: string, reference: string): Promise<LedgerWatch> {
    const records = new Map(
      readFileSync(reference, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => recordOf(line))
        .map((record) => [record.id, record]),
    );
    return new LedgerWatch(file, records, await returnsOf(reference, records));
  }

  /** Reads the current file. */
  look(): void {
    if (!existsSync(this.#file)) return;
    const text = readFileSync(this.#file, 'utf8');
    // A crash may leave half a line. The next start cuts it off.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (!whole.startsWith(this.#prefix)) {
      this.wrong.push('lines that were there are there no more');
      return;
    }
    const added = whole
      .slice(this.#prefix.length)
      .split('\n')
      .filter((line) => line !== '');
    for (const line of added) this.#compare(line);
    if (added.length > 0) this.looks += 1;
    this.#prefix = whole;
  }

  /** Called after the end: all trials must exist once, with their daily returns. */
  async finish(): Promise<void> {
    this.look();
    for (const id of this.#expected.keys())
      if (!this.#seen.has(id)) this.wrong.push(`trial ${id} is lost`);
    const returns = await returnsOf(this.#file, this.#seen);
    for (const [id, values] of this.#expectedReturns)
      if (JSON.stringify(returns.get(id)) !== JSON.stringify(values))
        this.wrong.push(`daily returns of trial ${id} differ`);
  }

  #compare(line: string): void {
    const record = recordOf(line);
    const { id } = record;
    if (this.#seen.has(id)) this.wrong.push(`trial ${id} is counted twice`);
    const expected = this.#expected.get(id);
    if (JSON.stringify(comparable(record)) !== JSON.stringify(expected))
      this.wrong.push(`trial ${id} differs`);
    this.#seen.set(id, record);
  }
}

function recordOf(line: string): TrialRecord {
  const read = readLine(line);
  const record = read && parseLine(read);
  if (record === undefined) throw new Error(`no line of a ledger: ${line.slice(0, 200)}`);
  return record;
}

/** `at` and `returns` depend on the order in which trials came back, so they are not compared. */
function comparable(record: TrialRecord): Comparable {
  return { ...record, at: undefined, returns: undefined };
}

async function returnsOf(
  ledger: string,
  records: ReadonlyMap<string, TrialRecord>,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const reader = await ReturnsReader.open(ledger);
  const found = new Map<string, readonly number[]>();
  for (const [id, { returns: place }] of records) {
    const daily = place === undefined ? undefined : await reader.read(id, place);
    if (daily !== undefined) found.set(id, [daily.from, ...daily.values]);
  }
  await reader.close();
  return found;
}
