import fc from 'fast-check';

import {
  divideFixed,
  formatFixed,
  parseFixed,
  type CandleColumns,
  type FuturesInstrument,
  type Instrument,
  type MarginInstrument,
} from '../../../src/domain/index.js';
import type { RunFill, RunFinancing, RunRecord } from '../../../src/report/index.js';
import { aRunFill, aRunOrder, aRunRecord, aFuture, BTC_SPOT, RUN_START } from '../run-records.js';

const STEP_MS = 60_000;
const BARS = 40;
const ONE = 10n ** 18n;

const MARGIN: MarginInstrument = {
  ...BTC_SPOT,
  id: 'margin:BTCUSDT' as MarginInstrument['id'],
  kind: 'margin',
  leverage: parseFixed('3'),
};
const INVERSE: FuturesInstrument = {
  ...aFuture('inverse'),
  id: 'futures:C-BTC-USD' as FuturesInstrument['id'],
  symbol: 'C-BTC-USD',
};
const INSTRUMENTS: readonly Instrument[] = [BTC_SPOT, MARGIN, aFuture('linear'), INVERSE];

/** A made-up run. A venue could have made its fills; its candles are arbitrary. */
export interface FillHistory {
  readonly record: RunRecord;
  readonly columns: CandleColumns;
  readonly stepMs: number;
}

const move = fc.record({
  instrument: fc.nat({ max: INSTRUMENTS.length - 1 }),
  /** Entries, partial exits, full exits, flips, and the cost of holding a position. */
  kind: fc.constantFrom('open', 'open', 'part', 'part', 'all', 'flip', 'charge'),
  isLong: fc.boolean(),
  steps: fc.bigInt(1n, 3_000n),
  ticks: fc.bigInt(1_000n, 20_000n),
  /** Sometimes two fills share one time, and many fall on the open of a candle. */
  waitMs: fc.constantFrom(0, 1, 17_000, STEP_MS, STEP_MS, 3 * STEP_MS),
  fee: fc.constantFrom('quote', 'base', 'none'),
});
type Move = typeof move extends fc.Arbitrary<infer Of> ? Of : never;

/** Histories of up to 30 fills on spot, margin, linear and inverse contracts, with equity in quote or in the coin. Except on spot, both sides can be held at once. */
export const fillHistories: fc.Arbitrary<FillHistory> = fc
  .record({
    moves: fc.array(move, { minLength: 1, maxLength: 30 }),
    ticks: fc.array(fc.nat({ max: 20_000 }), { minLength: BARS, maxLength: BARS }),
    finalTicks: fc.bigInt(1_000n, 20_000n),
    missing: fc.nat({ max: BARS }),
    isCoin: fc.boolean(),
  })
  .map(({ moves, ticks, finalTicks, missing, isCoin }) => {
    const made = new History(isCoin);
    for (const one of moves) made.add(one);
    return { record: made.record(finalTicks), columns: barsOf(ticks, missing), stepMs: STEP_MS };
  });

class History {
  readonly #held = new Map<string, bigint>();
  readonly #fills: RunFill[] = [];
  readonly #financings: RunFinancing[] = [];
  readonly #isCoin: boolean;
  #time = RUN_START;

  /** `isCoin`: whether equity is counted in the coin of all instruments. */
  constructor(isCoin: boolean) {
    this.#isCoin = isCoin;
  }

  add({ waitMs, ...one }: Move): void {
    this.#time += waitMs;
    const instrument = INSTRUMENTS[one.instrument] as Instrument;
    const isLong = instrument.kind === 'spot' || one.isLong;
    if (one.kind === 'charge') this.#charge(instrument, isLong, one);
    else if (one.kind === 'open') this.#fill(instrument, isLong, 'open', one);
    else {
      this.#fill(instrument, isLong, 'close', one);
      if (one.kind === 'flip')
        this.#fill(instrument, instrument.kind === 'spot' || !isLong, 'open', one);
    }
  }

  #charge(instrument: Instrument, isLong: boolean, { steps }: Pick<Move, 'steps'>): void {
    if (instrument.kind === 'spot') return;
    const cost = (steps - 1_000n) * 10n ** 13n;
    this.#financings.push({
      ...{
        time: this.#time,
        instrumentId: instrument.id,
        direction: isLong ? 'long' : 'short',
        cost,
      },
      accrued: { quantity: 0n, value: 0n },
    });
  }

  #fill(
    instrument: Instrument,
    isLong: boolean,
    action: 'open' | 'close',
    one: Omit<Move, 'waitMs'>,
  ): void {
    const isContract = instrument.kind === 'futures';
    const step = isContract ? ONE : ONE / 1_000n;
    const key = `${instrument.id} ${String(isLong)}`;
    const held = this.#held.get(key) ?? 0n;
    const wanted = one.kind === 'part' || action === 'open' ? one.steps * step : held;
    const quantity = action === 'open' ? wanted : ((wanted < held ? wanted : held) / step) * step;
    if (quantity === 0n) return;
    const side = isLong === (action === 'open') ? 'buy' : 'sell';
    const inBase = one.fee === 'base' && side === 'buy' && !isContract && action === 'open';
    const fee = one.fee === 'none' ? 0n : quantity / 1_000n / (inBase ? 1n : 10n);
    const isInverse = isContract && instrument.contract === 'inverse';
    const price = (one.ticks * ONE) / 100n;
    const change = action === 'open' ? quantity - (inBase ? fee : 0n) : -quantity;
    const left = held + change;
    this.#held.set(key, left);
    this.#fills.push(
      aRunFill({
        ...{
          id: `order-${String(this.#fills.length)}`,
          instrument,
          time: this.#time,
          side,
          action,
        },
        price: formatFixed(price),
        ...(this.#isCoin && { quoteRate: formatFixed(divideFixed(ONE, price)) }),
        quantity: formatFixed(quantity),
        fee: formatFixed(fee),
        feeAsset: inBase || (this.#isCoin && isInverse) ? instrument.base : instrument.quote,
        step: formatFixed(step),
      }),
    );
  }

  /** Units of the equity currency per unit of the asset in which profit is counted. */
  #worthAt(price: bigint, instrument: Instrument): bigint {
    const isInverse = instrument.kind === 'futures' && instrument.contract === 'inverse';
    if (this.#isCoin) return isInverse ? ONE : divideFixed(ONE, price);
    return isInverse ? price : ONE;
  }

  record(finalTicks: bigint): RunRecord {
    const price = (finalTicks * ONE) / 100n;
    const base = aRunRecord();
    return {
      ...base,
      instruments: INSTRUMENTS,
      equityCurrency: this.#isCoin ? 'BTC' : 'USDT',
      fills: this.#fills,
      financings: this.#financings,
      orders: this.#fills.map(({ record }) => {
        const order = aRunOrder({
          id: record.clientOrderId,
          time: record.eventTime,
          side: record.side,
        });
        const { instrumentId, action } = record;
        return {
          ...order,
          request: {
            ...order.request,
            instrumentId,
            action,
            clientOrderId: record.clientOrderId,
          },
        };
      }),
      finalPrices: new Map(
        INSTRUMENTS.map((instrument) => [
          instrument.id,
          {
            price,
            worth: this.#worthAt(price, instrument),
          },
        ]),
      ),
    };
  }
}

/** Candles of a minute, one of which may be missing. */
function barsOf(ticks: readonly number[], missing: number): CandleColumns {
  const rows = ticks.map((tick, row) => ({
    openTime: RUN_START + row * STEP_MS,
    open: 10 + tick / 100,
    close: 10 + ((tick * 7) % 20_000) / 100,
    spread: (tick % 300) / 100,
  }));
  rows.splice(missing, 1);
  const column = (of: (row: (typeof rows)[number]) => number): Float64Array =>
    Float64Array.from(rows, of);
  return {
    openTime: column(({ openTime }) => openTime),
    open: column(({ open }) => open),
    high: column(
      ({ open, close, spread }) => Math.round((Math.max(open, close) + spread) * 100) / 100,
    ),
    low: column(
      ({ open, close, spread }) => Math.round((Math.min(open, close) - spread) * 100) / 100,
    ),
    close: column(({ close }) => close),
    volume: column(() => 1),
  };
}
