import type { CandleColumns, FundingColumns } from '../../domain/index.js';

const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;

/**
 * A column of numbers that can grow while others read it. The array itself grows, so every holder of it sees the new rows.
 *
 * Only addresses are reserved for all rows. Memory is used when rows are written.
 */
class GrowingColumn {
  readonly values: Float64Array;
  readonly #memory: ArrayBuffer;

  constructor(maxRows: number) {
    this.#memory = new ArrayBuffer(0, { maxByteLength: maxRows * NUMBER_BYTES });
    this.values = new Float64Array(this.#memory);
  }

  /** @throws {RangeError} when there are more rows than room. */
  append(rows: Float64Array): void {
    const before = this.values.length;
    this.#memory.resize((before + rows.length) * NUMBER_BYTES);
    this.values.set(rows, before);
  }
}

/** Named columns that grow together. */
class GrowingTable<Name extends string> {
  readonly #columns: readonly (readonly [Name, GrowingColumn])[];
  readonly columns: Readonly<Record<Name, Float64Array>>;

  constructor(names: readonly Name[], maxRows: number) {
    this.#columns = names.map((name) => [name, new GrowingColumn(maxRows)]);
    this.columns = Object.fromEntries(
      this.#columns.map(([name, { values }]) => [name, values]),
    ) as Record<Name, Float64Array>;
  }

  append(rows: Readonly<Record<Name, Float64Array>>): void {
    for (const [name, column] of this.#columns) column.append(rows[name]);
  }
}

/** Candle columns that grow while the simulator reads them. */
export class GrowingCandles extends GrowingTable<keyof CandleColumns> {
  constructor(maxRows: number) {
    super(['openTime', 'open', 'high', 'low', 'close', 'volume'], maxRows);
  }
}

/** Columns of funding rates that grow in the same way. */
export class GrowingFunding extends GrowingTable<keyof FundingColumns> {
  constructor(maxRows: number) {
    super(['time', 'rate'], maxRows);
  }
}
