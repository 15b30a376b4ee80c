import { describe, expect, it } from 'vitest';
import {
  hashColumns,
  type Archive,
  type HoldingKey,
  type SeriesKey,
} from '../../src/archive/index.js';
import {
  parseInstrumentId,
  type CandleColumns,
  type FundingColumns,
  type InstrumentId,
} from '../../src/domain/index.js';
import { columnsFrom, rowsOf } from './candle-columns.js';

const HOUR = 3_600_000;
const START = Date.UTC(2025, 0, 1);
const ROWS = 48;
const SPOT = parseInstrumentId('spot:BTCUSDT');
const OTHER_SPOT = parseInstrumentId('spot:ETHUSDT');
const MARGIN = parseInstrumentId('margin:BTCUSDT');
const PERP = parseInstrumentId('futures:E-BTC-USDT');

/** Something that an archive holds. Rows have the same values in every archive. */
export type ArchiveContent =
  | (Required<SeriesKey> & { readonly columns: CandleColumns })
  | {
      readonly kind: 'funding';
      readonly instrumentId: InstrumentId;
      readonly rates: FundingColumns;
    };

const hours = (
  instrumentId: InstrumentId,
  interval: '1h' | '2h' | '12h',
  kind: 'candles' | 'mark' = 'candles',
): ArchiveContent => {
  const columns = columnsFrom(START, ROWS, Number(interval.slice(0, -1)) * HOUR);
  const volume = kind === 'mark' ? new Float64Array(ROWS) : columns.volume;
  return { kind, instrumentId, interval, columns: { ...columns, volume } };
};

/** Not in the order of the list, which is by product, symbol, kind and length of interval. */
const CONTENT: readonly ArchiveContent[] = [
  {
    kind: 'funding',
    instrumentId: PERP,
    rates: {
      time: Float64Array.from([0, 8, 16], (hour) => START + hour * HOUR),
      rate: Float64Array.of(0.0001, -0.0002, 0),
    },
  },
  hours(PERP, '12h', 'mark'),
  hours(PERP, '2h', 'mark'),
  hours(PERP, '1h'),
  hours(MARGIN, '1h'),
  hours(OTHER_SPOT, '1h'),
  hours(SPOT, '12h'),
  hours(SPOT, '2h'),
];
const LISTED: readonly HoldingKey[] = [
  { kind: 'candles', instrumentId: SPOT, interval: '2h' },
  { kind: 'candles', instrumentId: SPOT, interval: '12h' },
  { kind: 'candles', instrumentId: OTHER_SPOT, interval: '1h' },
  { kind: 'candles', instrumentId: MARGIN, interval: '1h' },
  { kind: 'candles', instrumentId: PERP, interval: '1h' },
  { kind: 'mark', instrumentId: PERP, interval: '2h' },
  { kind: 'mark', instrumentId: PERP, interval: '12h' },
  { kind: 'funding', instrumentId: PERP },
];

interface ArchiveCase {
  /** Makes an archive that holds this and nothing else. */
  create: (content: readonly ArchiveContent[]) => Promise<Archive>;
}

/** Registers the tests that hold for every archive of candles, mark prices and funding rates. */
export function describeArchive({ create }: ArchiveCase): void {
  describe('as every archive', () => {
    it('AR-01 lists everything that it holds, by product, symbol, kind and length of interval', async () => {
      const holdings = await (await create(CONTENT)).holdings();

      expect(holdings.map(({ status, key }) => ({ status, key }))).toEqual(
        LISTED.map((key) => ({ status: 'usable', key })),
      );
    });

    it('AR-02 lists candles alone as series, in the same order', async () => {
      const series = await (await create(CONTENT)).list();

      expect(series.map(({ status, key }) => ({ status, key }))).toEqual(
        LISTED.flatMap(({ kind, instrumentId, interval }) =>
          kind === 'candles' ? [{ status: 'usable', key: { instrumentId, interval } }] : [],
        ),
      );
    });

    it('AR-03 describes what it holds: rows, range and hash of the values', async () => {
      const holdings = await (await create(CONTENT)).holdings();

      const described = new Map(
        holdings.map((entry) => [JSON.stringify(entry.key), 'info' in entry && entry.info]),
      );
      for (const content of CONTENT)
        if (content.kind === 'funding') {
          const { kind, instrumentId } = content;
          const hash = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
          const times = { from: START, to: START + 16 * HOUR };
          expect(described.get(JSON.stringify({ kind, instrumentId }))).toMatchObject({
            ...{ kind, instrumentId, rows: 3, ...times, columnsSha256: hash },
          });
        } else {
          const { kind, instrumentId, interval, columns } = content;
          const to = START + ROWS * Number.parseInt(interval) * HOUR;
          expect(described.get(JSON.stringify({ kind, instrumentId, interval }))).toMatchObject({
            ...{ kind, instrumentId, interval, rows: ROWS, from: START, to, gaps: 0 },
            columnsSha256: hashColumns(columns),
          });
        }
    });

    it('AR-04 reads the values of everything that it lists', async () => {
      const archive = await create(CONTENT);

      for (const content of CONTENT)
        if (content.kind === 'funding')
          expect(await archive.funding(content.instrumentId)).toEqual(content.rates);
        else {
          const { kind, instrumentId, interval, columns } = content;
          const read = kind === 'mark' ? archive.marks : archive.read;
          const found = await read(instrumentId, interval);
          expect(found && rowsOf(found)).toEqual(rowsOf(columns));
        }
    });

    it('AR-05 names the intervals of mark prices, the finest first', async () => {
      const archive = await create(CONTENT);

      expect(await archive.markIntervals(PERP)).toEqual(['2h', '12h']);
      expect(await archive.markIntervals(SPOT)).toEqual([]);
    });

    it('AR-06 reads the rows of a range, from its start and before its end', async () => {
      const archive = await create(CONTENT);
      const range = { from: START + 8 * HOUR, to: START + 16 * HOUR };

      const candles = await archive.read(PERP, '1h', range);
      const marks = await archive.marks(PERP, '2h', range);
      const funding = await archive.funding(PERP, range);

      expect([...candles.openTime]).toEqual(
        [8, 9, 10, 11, 12, 13, 14, 15].map((hour) => START + hour * HOUR),
      );
      expect([...(marks?.openTime ?? [])]).toEqual(
        [8, 10, 12, 14].map((hour) => START + hour * HOUR),
      );
      expect([...(funding?.time ?? [])]).toEqual([START + 8 * HOUR]);
    });

    it('AR-07 has nothing of what it does not hold', async () => {
      const archive = await create(CONTENT);
      const later = { from: START + 1_000 * HOUR };

      await expect(archive.info(SPOT, '1h')).rejects.toMatchObject({ code: 'E_DATA_MISSING' });
      await expect(archive.read(SPOT, '1h')).rejects.toMatchObject({ code: 'E_DATA_MISSING' });
      await expect(archive.open(SPOT, '1h')).rejects.toMatchObject({ code: 'E_DATA_MISSING' });
      await expect(archive.read(SPOT, '2h', later)).rejects.toMatchObject({ code: 'E_DATA_RANGE' });
      expect(await archive.marks(PERP, '1h')).toBeUndefined();
      expect(await archive.openMarks(PERP, '1h')).toBeUndefined();
      expect(await archive.funding(SPOT)).toBeUndefined();
      expect((await archive.funding(PERP, later))?.time).toHaveLength(0);
      expect(await archive.rules(SPOT)).toEqual([]);
      expect(await archive.tiers(PERP)).toEqual([]);
    });
  });
}
