/**
 * Works out the trades of a run the slow way from its fills, charges and candles. It uses no project code but the decimals. Tests compare
 * the list of trades of a result with it. It reads each trade by itself, and each of its candles for each of its stretches.
 */
import { Decimal } from '../../src/domain/index.js';

const Exact = Decimal.clone({ precision: 120, rounding: Decimal.ROUND_HALF_EVEN });
type Amount = InstanceType<typeof Exact>;

export interface PlainInstrument {
  readonly id: string;
  readonly product: 'spot' | 'margin' | 'linear' | 'inverse';
  readonly base: string;
  /** Whether equity is counted in the base. */
  readonly isCoin: boolean;
  /** Multiplier of a contract. */
  readonly multiplier: string;
}

export interface PlainFill {
  readonly time: number;
  readonly instrument: string;
  readonly side: 'buy' | 'sell';
  readonly action: 'open' | 'close';
  readonly price: string;
  readonly quantity: string;
  readonly fee: string;
  readonly feeAsset: string;
  readonly step: string;
  /** Units of the equity currency per unit of quote. */
  readonly rate: string;
  /** Price at the time its order was sent. */
  readonly arrival: string | undefined;
}

export interface PlainCharge {
  readonly time: number;
  readonly instrument: string;
  readonly side: 'long' | 'short';
  readonly cost: string;
  readonly quantity: string;
  readonly value: string;
}

export interface PlainBars {
  readonly openTime: ArrayLike<number>;
  readonly open: ArrayLike<number>;
  readonly high: ArrayLike<number>;
  readonly low: ArrayLike<number>;
  readonly close: ArrayLike<number>;
  readonly stepMs: number;
}

export interface PlainRun {
  readonly from: number;
  readonly to: number;
  readonly instruments: readonly PlainInstrument[];
  readonly holdings: readonly { instrument: string; quantity: string; value: string }[];
  readonly fills: readonly PlainFill[];
  readonly charges: readonly PlainCharge[];
  /** By instrument: price at the end, and the value of a unit of the profit's asset in the equity currency. */
  readonly finals: ReadonlyMap<string, { readonly price: string; readonly worth: string }>;
  readonly bars: ReadonlyMap<string, PlainBars>;
}

export interface PlainTrade {
  readonly instrument: string;
  readonly side: 'long' | 'short';
  readonly open: boolean;
  readonly from: number;
  readonly to: number;
  readonly fills: readonly number[];
  readonly entryPrice: string | null;
  readonly exitPrice: string | null;
  readonly gross: string;
  readonly fees: string;
  readonly financing: string;
  readonly profit: string;
  readonly mae: string;
  readonly mfe: string;
  readonly shortfall: string | null;
}

export interface PlainTrades {
  readonly trades: readonly PlainTrade[];
  /** Profit of remainders below one step, minus the charges that they bear. */
  readonly dust: string;
}

const round = (amount: Amount): Amount => amount.toDecimalPlaces(18, Decimal.ROUND_HALF_EVEN);
const text = (amount: Amount): string => (amount.isZero() ? '0' : amount.toFixed());

/** Quantity and cost held between two fills of a trade, with the profit realized before. */
interface Stretch {
  readonly from: number;
  to: number;
  readonly quantity: Amount;
  readonly cost: Amount;
  readonly realized: Amount;
  readonly rate: Amount;
}

export function workOutTrades(run: PlainRun): PlainTrades {
  const trades: PlainTrade[] = [];
  let dust = new Exact(0);
  for (const instrument of run.instruments)
    for (const side of ['long', 'short'] as const) {
      const found = walkSide(run, instrument, side);
      trades.push(...found.trades);
      dust = dust.plus(found.dust);
    }
  return { trades, dust: text(dust) };
}

/** Splits the fills of one side of one instrument into trades. A trade ends with the fill that leaves less than one step. */
function walkSide(
  run: PlainRun,
  instrument: PlainInstrument,
  side: 'long' | 'short',
): { readonly trades: readonly PlainTrade[]; readonly dust: Amount } {
  const isOf = (fill: PlainFill): boolean =>
    fill.instrument === instrument.id &&
    (fill.side === 'buy') === ((side === 'long') === (fill.action === 'open'));
  const places = run.fills.flatMap((fill, place) => (isOf(fill) ? [place] : []));
  const charges = run.charges.filter(
    (charge) => charge.instrument === instrument.id && charge.side === side,
  );
  const start =
    side === 'long' ? run.holdings.find((held) => held.instrument === instrument.id) : undefined;
  const trades: PlainTrade[] = [];
  let quantity = new Exact(start?.quantity ?? 0);
  let cost = new Exact(start?.value ?? 0);
  let trade =
    start === undefined ? undefined : new Walk(instrument, side, run.from, quantity, cost);
  const bear = (until: number): void => {
    while (trade !== undefined && charges[0] !== undefined && charges[0].time <= until) {
      const charge = charges.shift() as PlainCharge;
      trade.financing = trade.financing.plus(charge.cost);
      quantity = quantity.plus(charge.quantity);
      cost = cost.plus(charge.value);
    }
  };
  for (const place of places) {
    const fill = run.fills[place] as PlainFill;
    bear(fill.time);
    trade ??= new Walk(instrument, side, fill.time, new Exact(0), new Exact(0));
    bear(fill.time);
    [quantity, cost] = trade.take(place, fill, { quantity, cost });
    if (fill.action === 'close' && quantity.lt(fill.step)) {
      trades.push(trade.end(run, fill.time, undefined));
      trade = undefined;
    }
  }
  bear(run.to);
  // Without an open trade, dust bears the remaining charges.
  let waited = new Exact(0);
  for (const charge of charges.filter(({ time }) => trade === undefined && time <= run.to)) {
    waited = waited.plus(charge.cost);
    quantity = quantity.plus(charge.quantity);
    cost = cost.plus(charge.value);
  }
  const final = run.finals.get(instrument.id);
  const left =
    final === undefined || quantity.isZero()
      ? new Exact(0)
      : round(
          profitAt(instrument, side, { quantity, cost }, new Exact(final.price)).times(final.worth),
        );
  if (trade === undefined) return { trades, dust: left.minus(waited) };
  return { trades: [...trades, trade.end(run, run.to, left)], dust: new Exact(0) };
}

/** One trade, fill by fill. */
class Walk {
  readonly #instrument: PlainInstrument;
  readonly #side: 'long' | 'short';
  readonly #from: number;
  readonly #places: number[] = [];
  readonly #entries: PlainFill[] = [];
  readonly #exits: PlainFill[] = [];
  readonly #stretches: Stretch[] = [];
  readonly #seen: Amount[] = [];
  readonly #isOld: boolean;
  #gross = new Exact(0);
  #fees = new Exact(0);
  #shortfall: Amount | undefined;
  financing = new Exact(0);

  constructor(
    instrument: PlainInstrument,
    side: 'long' | 'short',
    from: number,
    quantity: Amount,
    cost: Amount,
  ) {
    this.#instrument = instrument;
    this.#side = side;
    this.#from = from;
    this.#isOld = !quantity.isZero();
    this.#shortfall = this.#isOld ? undefined : new Exact(0);
    if (this.#isOld) this.#hold(from, { quantity, cost }, new Exact(1));
  }

  #hold(
    from: number,
    held: { readonly quantity: Amount; readonly cost: Amount },
    rate: Amount,
  ): void {
    this.#stretches.push({ from, to: Infinity, ...held, realized: this.#gross, rate });
  }

  take(
    place: number,
    fill: PlainFill,
    held: { readonly quantity: Amount; readonly cost: Amount },
  ): [Amount, Amount] {
    const last = this.#stretches.at(-1);
    if (last !== undefined) last.to = fill.time;
    this.#places.push(place);
    const { product, base, isCoin, multiplier } = this.#instrument;
    const isContract = product === 'linear' || product === 'inverse';
    const price = new Exact(fill.price);
    const rate = new Exact(fill.rate);
    const traded = new Exact(fill.quantity);
    const inBase = fill.feeAsset === base;
    const fee = inBase ? round(new Exact(fill.fee).times(price)) : new Exact(fill.fee);
    this.#fees = this.#fees.plus(inBase && isCoin ? fill.fee : round(fee.times(rate)));
    const notional = notionalAt(this.#instrument, traded, price);
    // With a fee in base, a buy adds less than its quantity and a sell removes more.
    const sign = inBase && !isContract ? (fill.side === 'buy' ? -1 : 1) : 0;
    const moved = traded.plus(new Exact(fill.fee).times(sign));
    const value =
      product === 'inverse'
        ? round(traded.times(multiplier).div(price))
        : notional.plus(fee.times(sign));
    const valueRate = this.#rateAt(price, rate);
    this.#addShortfall(fill, notional, rate);
    if (fill.action === 'open') {
      this.#entries.push(fill);
      return this.#go(fill, [held.quantity.plus(moved), held.cost.plus(value)]);
    }
    this.#exits.push(fill);
    const all = moved.gte(held.quantity);
    const released = all ? held.cost : round(held.cost.times(moved).div(held.quantity));
    const gain =
      (this.#side === 'long') === (product === 'inverse')
        ? released.minus(value)
        : value.minus(released);
    this.#gross = this.#gross.plus(round(gain.times(valueRate)));
    return this.#go(
      fill,
      all ? [new Exact(0), new Exact(0)] : [held.quantity.minus(moved), held.cost.minus(released)],
    );
  }

  #go(fill: PlainFill, [quantity, cost]: [Amount, Amount]): [Amount, Amount] {
    const rate = new Exact(fill.rate);
    this.#hold(fill.time, { quantity, cost }, rate);
    this.#seen.push(this.#worthAt(this.#stretches.at(-1) as Stretch, new Exact(fill.price)));
    return [quantity, cost];
  }

  #worthAt(stretch: Stretch, price: Amount): Amount {
    if (stretch.quantity.isZero()) return stretch.realized;
    const rate = this.#rateAt(price, stretch.rate);
    return stretch.realized.plus(
      round(profitAt(this.#instrument, this.#side, stretch, price).times(rate)),
    );
  }

  /** Units of the equity currency per unit of quote, or of coin if the contract is inverse. */
  #rateAt(price: Amount, quoteRate: Amount): Amount {
    if (this.#instrument.product !== 'inverse') return quoteRate;
    return this.#instrument.isCoin ? new Exact(1) : round(price.times(quoteRate));
  }

  #addShortfall(fill: PlainFill, notional: Amount, rate: Amount): void {
    if (this.#shortfall === undefined) return;
    if (fill.arrival === undefined) {
      this.#shortfall = undefined;
      return;
    }
    const arrival = new Exact(fill.arrival);
    const traded = new Exact(fill.quantity);
    const faceValue = traded.times(this.#instrument.multiplier);
    const coinsMissing = round(faceValue.div(arrival)).minus(round(faceValue.div(fill.price)));
    const cost =
      this.#instrument.product === 'inverse'
        ? round(coinsMissing.times(this.#rateAt(new Exact(fill.price), rate)))
        : round(notional.times(rate)).minus(
            round(notionalAt(this.#instrument, traded, arrival).times(rate)),
          );
    this.#shortfall = this.#shortfall.plus(fill.side === 'buy' ? cost : cost.neg());
  }

  end(run: PlainRun, to: number, left: Amount | undefined): PlainTrade {
    const gross = left === undefined ? this.#gross : this.#gross.plus(left);
    const last = this.#stretches.at(-1);
    if (last !== undefined) last.to = to;
    const seen = [...this.#seen, ...this.#ofCandles(run), ...(left === undefined ? [] : [gross])];
    const zero = new Exact(0);
    return {
      instrument: this.#instrument.id,
      side: this.#side,
      open: left !== undefined,
      from: this.#from,
      to,
      fills: this.#places,
      entryPrice: averageOf(this.#entries, this.#instrument.product === 'inverse'),
      exitPrice: averageOf(this.#exits, this.#instrument.product === 'inverse'),
      gross: text(gross),
      fees: text(this.#fees),
      financing: text(this.financing),
      profit: text(gross.minus(this.#fees).minus(this.financing)),
      mae: text(Exact.min(zero, ...seen)),
      mfe: text(Exact.max(zero, ...seen)),
      shortfall: this.#shortfall === undefined ? null : text(this.#shortfall),
    };
  }

  #ofCandles(run: PlainRun): Amount[] {
    const bars = run.bars.get(this.#instrument.id);
    if (bars === undefined) return [];
    const closing = this.#stretches.slice(0, -1);
    // After a closing fill nothing is held. The last stretch does not count then.
    const stretches =
      this.#stretches.at(-1)?.quantity.isZero() === true ? closing : this.#stretches;
    return stretches.flatMap((stretch) => {
      const prices: number[] = [];
      for (let row = 0; row < bars.openTime.length; row += 1) {
        const opens = bars.openTime[row] as number;
        const closes = opens + bars.stepMs;
        if (opens >= stretch.from && closes <= stretch.to)
          prices.push(bars.low[row] as number, bars.high[row] as number);
        else if (opens >= stretch.from && opens < stretch.to) prices.push(bars.open[row] as number);
        else if (closes > stretch.from && closes <= stretch.to)
          prices.push(bars.close[row] as number);
      }
      return prices.map((price) => this.#worthAt(stretch, new Exact(String(price))));
    });
  }
}

function notionalAt(
  { product, multiplier }: PlainInstrument,
  quantity: Amount,
  price: Amount,
): Amount {
  if (product === 'inverse') return round(quantity.times(multiplier));
  return round(
    product === 'linear' ? round(quantity.times(multiplier)).times(price) : quantity.times(price),
  );
}

function profitAt(
  instrument: PlainInstrument,
  side: 'long' | 'short',
  held: { readonly quantity: Amount; readonly cost: Amount },
  price: Amount,
): Amount {
  const { product, multiplier } = instrument;
  const worth =
    product === 'inverse'
      ? round(held.quantity.times(multiplier).div(price))
      : round(held.quantity.times(product === 'linear' ? multiplier : 1).times(price));
  return (side === 'long') === (product === 'inverse')
    ? held.cost.minus(worth)
    : worth.minus(held.cost);
}

function averageOf(fills: readonly PlainFill[], isInverse: boolean): string | null {
  const [first] = fills;
  if (first === undefined) return null;
  if (fills.every(({ price }) => new Exact(price).eq(first.price)))
    return text(new Exact(first.price));
  const sum = (of: (fill: PlainFill) => Amount): Amount =>
    fills.reduce((total, fill) => total.plus(of(fill)), new Exact(0));
  const traded = sum(({ quantity }) => new Exact(quantity));
  return text(
    round(
      isInverse
        ? traded.div(sum(({ quantity, price }) => round(new Exact(quantity).div(price))))
        : sum(({ quantity, price }) => new Exact(quantity).times(price)).div(traded),
    ),
  );
}
