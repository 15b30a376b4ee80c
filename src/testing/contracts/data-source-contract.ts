import {
  findWrongMember,
  type DataSource,
  type Dump,
  type DumpSeries,
} from '../../archive/index.js';
import { checkOptions, type OptionCheck } from '../../config/index.js';
import { closeTimeOf, DAY_MS, DomainError, formatUtc, type EpochMs } from '../../domain/index.js';
import { broken, type ContractTest } from './contract-test.js';

/** The months that the contract asks for: with a leap day and two turns of the year. */
const FIRST: EpochMs = Date.UTC(2023, 10, 1);
const MONTHS = 16;

/**
 * The contract of a source of public files: its files cover time without gap or overlap, each file has its own rows, and the place of a file does not depend
 * on earlier questions.
 *
 * @throws {UsageError} `E_USAGE` for something else than an object.
 */
export function dataSourceContract(source: DataSource): readonly ContractTest[] {
  checkOptions({ source }, { source: AN_OBJECT }, 'dataSourceContract');
  const asked = new AskedSource(source);
  const test = (name: string, check: () => void): ContractTest => ({
    name,
    run: () => {
      requireMembers(source);
      check();
    },
  });
  return [
    test('declares its data: at least candles, known intervals, and its own symbols', () => {
      asked.saysWhat();
    }),
    test('has files of months and days in sequence, without gaps or overlaps', () => {
      asked.coversTime();
    }),
    test('has a separate path under its address for each file and each checksum', () => {
      asked.hasOwnPaths();
    }),
    test('gives the same file for the same question', () => {
      asked.isPure();
    }),
  ];
}

const AN_OBJECT: OptionCheck = {
  expected: 'an object',
  accepts: (value) => typeof value === 'object' && value !== null,
  isRequired: true,
};

/** A source may come from JavaScript, so its members are not certain. */
function requireMembers(source: DataSource): void {
  const wrong = findWrongMember(source);
  if (wrong !== undefined) throw new DomainError('E_TEST_CONTRACT', `source.${wrong}`);
}

class AskedSource {
  readonly #source: DataSource;

  constructor(source: DataSource) {
    this.#source = source;
  }

  saysWhat(): void {
    const { name, url, kinds, intervals, symbols, example } = this.#source;
    if (!/^[a-z][a-z0-9-]*$/.test(name))
      throw broken('a name of small letters, digits and dashes', JSON.stringify(name));
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw broken('an address that starts with https:// or http://', JSON.stringify(url));
    if (!kinds.includes('candles')) throw broken('candles among the kinds', kinds.join(', '));
    if (intervals.length === 0) throw broken('at least one interval', 'none');
    if (!symbols.test(example) || !symbols.test(example))
      throw broken(`a pattern that matches ${example} every time`, String(symbols));
    if (symbols.test('../BTC') || symbols.test(''))
      throw broken('a pattern that matches only symbols', String(symbols));
  }

  coversTime(): void {
    for (const series of this.#everySeries())
      for (const month of months()) {
        const next = closeTimeOf(month, '1month');
        requireSpan(this.#source.monthly(series, month), month, next);
        const days = Array.from(
          { length: (next - month) / DAY_MS },
          (_, day) => month + day * DAY_MS,
        );
        const dumps = days.map((day) => this.#source.daily(series, day));
        const count = dumps.filter((dump) => dump !== undefined).length;
        if (count > 0 && count < days.length)
          throw broken(`a file for each day of ${formatUtc(month)}, or for none`, String(count));
        for (const [at, dump] of dumps.entries())
          if (dump !== undefined)
            requireSpan(dump, days[at] ?? month, (days[at] ?? month) + DAY_MS);
      }
  }

  hasOwnPaths(): void {
    const known = new Set<string>();
    for (const { path, checksumPath } of this.#everyDump())
      for (const one of [path, checksumPath]) {
        if (!/^[^/?#\\]+(?:\/[^/?#\\]+)*$/.test(one) || one.split('/').includes('..'))
          throw broken('a path under the address, without a leading slash', one);
        if (known.has(one)) throw broken('a separate path for each file', `${one} twice`);
        known.add(one);
      }
  }

  isPure(): void {
    const first = this.#everyDump().map((dump) => JSON.stringify(dump));
    const again = this.#everyDump().map((dump) => JSON.stringify(dump));
    const place = first.findIndex((dump, at) => dump !== again[at]);
    if (place >= 0) throw broken(`${first[place] ?? ''}, as at first`, again[place] ?? 'nothing');
  }

  #everyDump(): readonly Dump[] {
    return this.#everySeries().flatMap((series) =>
      months().flatMap((month) => [
        this.#source.monthly(series, month),
        ...[month, month + DAY_MS].flatMap((day) => this.#source.daily(series, day) ?? []),
      ]),
    );
  }

  #everySeries(): readonly DumpSeries[] {
    const { kinds, intervals, example: symbol } = this.#source;
    return kinds.flatMap((kind): readonly DumpSeries[] =>
      kind === 'funding'
        ? [{ kind, symbol }]
        : intervals.map((interval) => ({ kind, symbol, interval })),
    );
  }
}

function months(): readonly EpochMs[] {
  const found: EpochMs[] = [];
  for (let month = FIRST; found.length < MONTHS; month = closeTimeOf(month, '1month'))
    found.push(month);
  return found;
}

function requireSpan({ path, from, to }: Dump, begin: EpochMs, end: EpochMs): void {
  if (from === begin && to === end) return;
  throw broken(
    `${path} to hold ${formatUtc(begin)} to ${formatUtc(end)}`,
    `${formatUtc(from)} to ${formatUtc(to)}`,
  );
}
