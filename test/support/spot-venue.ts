import {
  CandleRows,
  createInstrumentId,
  FIXED_ONE,
  formatFixed,
  MINUTE_MS,
  parseFixed,
  RuleBook,
  type Asset,
  type CandleColumns,
  type ClientOrderId,
  type EpochMs,
  type FeeRates,
  type Fixed,
  type InstrumentRules,
  type OrderRequest,
  type SpotInstrument,
} from '../../src/domain/index.js';
import {
  createConstantFees,
  createFixedSlippage,
  nearestOrder,
  SimulatedVenue,
  type ConditionalRequest,
  type ExtremeOrder,
  type SimulatedVenueOptions,
  type MarketSource,
} from '../../src/simulator/index.js';
import { isOrderUpdate, type OrderUpdate } from '../../src/venue/index.js';

/** 2025-01-01T00:00:00Z: open time of the first candle of a test. */
export const START: EpochMs = 1_735_689_600_000;

export const BTC_USDT = spot('BTC', 'USDT');
export const ETH_USDT = spot('ETH', 'USDT');

function spot(base: Asset, quote: Asset): SpotInstrument {
  const symbol = `${base}${quote}`;
  return { kind: 'spot', id: createInstrumentId('spot', symbol), symbol, base, quote };
}

/** A one-minute candle on the tick of 0.01: open, high, low, close in plain numbers, volume in base. */
export interface VenueCandle {
  /** Minutes after {@link START}. @defaultValue the minute after the previous candle */
  readonly minute?: number;
  readonly path: readonly [open: number, high: number, low: number, close: number];
  /** @defaultValue 1000 */
  readonly volume?: number;
}

/** Stored one-minute candles, consecutive unless a row sets its minute. */
export function venueColumns(rows: readonly VenueCandle[]): CandleColumns {
  let minute = -1;
  const times = rows.map((row) => {
    minute = row.minute ?? minute + 1;
    return START + minute * MINUTE_MS;
  });
  const column = (place: 0 | 1 | 2 | 3): Float64Array =>
    Float64Array.from(rows, ({ path }) => path[place]);
  return {
    openTime: Float64Array.from(times),
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    volume: Float64Array.from(rows, ({ volume = 1_000 }) => volume),
  };
}

export const ZERO_FEES: FeeRates = { maker: 0n, taker: 0n, paidIn: 'quote' };

/** Fee rates from texts: "0.001" is 0.1 %. */
export function feesOf(maker: string, taker: string, paidIn: FeeRates['paidIn']): FeeRates {
  return { maker: parseFixed(maker), taker: parseFixed(taker), paidIn };
}

/** Settings of a test venue. Everything else is free of costs and limits. */
export interface VenueSetup {
  /** Candles of BTCUSDT. */
  readonly candles?: readonly VenueCandle[];
  /** Candles of ETHUSDT, if it is traded. */
  readonly ethCandles?: readonly VenueCandle[];
  readonly volumeUnit?: MarketSource['volumeUnit'];
  /** @defaultValue tick 0.01, step 0.001 */
  readonly rules?: Partial<InstrumentRules>;
  /** @defaultValue 10 BTC, 10 ETH and 10,000 USDT */
  readonly balances?: Readonly<Record<Asset, string>>;
  readonly fees?: FeeRates;
  readonly slippage?: SimulatedVenueOptions['slippage'];
  readonly halfSpread?: string;
  readonly participation?: string;
  readonly fillOnTouch?: boolean;
  /** @defaultValue nearest */
  readonly order?: ExtremeOrder | SimulatedVenueOptions['chooseOrder'];
}

/** A venue with all its reported updates. */
export interface ObservedVenue {
  readonly venue: SimulatedVenue;
  readonly updates: OrderUpdate[];
}

export function aVenue(setup: VenueSetup = {}): ObservedVenue {
  const updates: OrderUpdate[] = [];
  const rules = new RuleBook();
  const record = { tradable: true, pricePrecision: 2, quantityPrecision: 3, ...setup.rules };
  const markets = [
    { instrument: BTC_USDT, rows: setup.candles ?? [{ path: [100, 100, 100, 100] }] },
    ...(setup.ethCandles ? [{ instrument: ETH_USDT, rows: setup.ethCandles }] : []),
  ] satisfies { instrument: SpotInstrument; rows: readonly VenueCandle[] }[];
  for (const { instrument } of markets) rules.set(instrument.id, [{ from: 0, rules: record }]);
  const venue = new SimulatedVenue({
    markets: markets.map(({ instrument, rows }) => ({
      instrument,
      interval: '1min',
      rows: CandleRows.of(venueColumns(rows)),
      volumeUnit: setup.volumeUnit ?? 'base',
      pricePrecision: record.pricePrecision,
    })),
    rules,
    balances: {
      spot: new Map(
        Object.entries(setup.balances ?? { BTC: '10', ETH: '10', USDT: '10000' }).map(
          ([asset, amount]) => [asset, parseFixed(amount)],
        ),
      ),
    },
    ...termsOf(setup),
    onUpdate: (update) => {
      if (!isOrderUpdate(update)) throw new Error(`expected no ${update.kind} on spot`);
      updates.push(update);
    },
  });
  return { venue, updates };
}

/** Terms on which a venue fills orders, for any product. */
export function termsOf(
  setup: Pick<
    VenueSetup,
    'fees' | 'slippage' | 'halfSpread' | 'participation' | 'fillOnTouch' | 'order'
  >,
): Pick<
  SimulatedVenueOptions,
  'fees' | 'slippage' | 'halfSpread' | 'participation' | 'fillOnTouch' | 'chooseOrder'
> {
  const { order } = setup;
  return {
    fees: createConstantFees(setup.fees ?? ZERO_FEES),
    slippage: setup.slippage ?? createFixedSlippage(0n),
    halfSpread: parseFixed(setup.halfSpread ?? '0'),
    participation: setup.participation === undefined ? 'off' : parseFixed(setup.participation),
    fillOnTouch: setup.fillOnTouch ?? false,
    chooseOrder:
      typeof order === 'function'
        ? order
        : (shape) => (order === undefined ? nearestOrder(shape) : order),
  };
}

/** One command and its arrival time, in ms after {@link START}. */
export type ScriptStep =
  | { readonly at: number; readonly submit: OrderRequest }
  | { readonly at: number; readonly condition: ConditionalRequest }
  | { readonly at: number; readonly cancel: string };

/**
 * Drives a venue through commands in the order of DESIGN R1, one instant at a time, until `until` ms after {@link START}. Steps must be in
 * order of time. After each instant `watch` may inspect the venue.
 */
export function play(
  { venue }: Pick<ObservedVenue, 'venue'>,
  script: readonly ScriptStep[],
  until: number,
  watch: () => void = () => undefined,
): void {
  let next = 0;
  for (let time = Number.NEGATIVE_INFINITY; ;) {
    const arrival = script[next]?.at ?? Number.POSITIVE_INFINITY;
    time = Math.max(time, Math.min(venue.nextTime(), START + arrival));
    if (time > START + until) break;
    venue.completeUntil(time);
    venue.settleUntil(time);
    venue.openAt(time);
    venue.admitWaiting(time);
    for (let step = script[next]; step && START + step.at <= time; step = script[next]) {
      if ('submit' in step) venue.submit(step.submit, time);
      else if ('condition' in step) venue.submitConditional(step.condition, time);
      else venue.cancel(step.cancel as ClientOrderId, time);
      next += 1;
    }
    watch();
  }
  venue.completeUntil(START + until);
}

/**
 * Drives a venue through all instants after `from` up to and including `to`, in ms after {@link START}, without the commands that arrive at
 * `to`. The results of these commands come with the next call.
 */
export function advance(venue: SimulatedVenue, from: number, to: number): void {
  if (to <= from) return;
  for (let time = START + from; time < START + to;) {
    time = Math.max(time, Math.min(venue.nextTime(), START + to));
    venue.completeUntil(time);
    venue.settleUntil(time);
    venue.openAt(time);
    venue.admitWaiting(time);
  }
}

/** An update in one line: `+20000 fill order-1 1 @ 99.99 maker fee 0.1 USDT, done`. Times in ms after {@link START}. */
export function describeUpdate(update: OrderUpdate): string {
  const head = `+${String(update.eventTime - START)} ${update.kind} ${update.clientOrderId}`;
  switch (update.kind) {
    case 'accepted':
      return head;
    case 'fill': {
      const { price, quantity, liquidity, fee, feeAsset } = update.fill;
      const cost = fee === 0n ? '' : ` fee ${formatFixed(fee)} ${feeAsset}`;
      const done = update.isFilled ? ', done' : '';
      return `${head} ${formatFixed(quantity)} @ ${formatFixed(price)} ${liquidity}${cost}${done}`;
    }
    case 'ended':
      return `${head} ${update.status} ${update.reason.code}`;
    case 'cancel-rejected':
    case 'outcome-unknown':
      return `${head} ${update.reason.code}`;
  }
}

/** All reported updates of a venue, one line each. */
export function linesOf({ updates }: ObservedVenue): readonly string[] {
  return updates.map(describeUpdate);
}

/** Plays a script and returns the reported updates of the venue. */
export function report(
  setup: VenueSetup,
  script: readonly ScriptStep[],
  until = 10 * MINUTE_MS,
): readonly string[] {
  const observed = aVenue(setup);
  play(observed, script, until);
  return linesOf(observed);
}

/** Balances, free and locked together, as texts. */
export function balancesOf({ venue }: ObservedVenue): Readonly<Record<Asset, string>> {
  return Object.fromEntries(
    [...venue.accounts.spot.totals()].map(([asset, total]) => [asset, formatFixed(total)]),
  );
}

/** Free and locked amount of an asset on spot. */
export function spotLine({ venue }: Pick<ObservedVenue, 'venue'>, asset: Asset): string {
  const { spot } = venue.accounts;
  const locked = spot.locked(asset);
  const free = (spot.totals().get(asset) ?? 0n) - locked;
  return `${formatFixed(free)} ${formatFixed(locked)}`;
}

/** Total value of the balances if one base is worth `price`. */
export function equityAt({ venue }: Pick<ObservedVenue, 'venue'>, price: Fixed): Fixed {
  const totals = venue.accounts.spot.totals();
  return (totals.get('USDT') ?? 0n) + ((totals.get('BTC') ?? 0n) * price) / FIXED_ONE;
}
