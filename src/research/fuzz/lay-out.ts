import {
  nominalIntervalMs,
  type CandleColumns,
  type DatedRules,
  type EpochMs,
  type InstrumentId,
  type InstrumentRules,
  closeTimeOf,
  parseFixed,
} from '../../domain/index.js';
import type { FuzzGround, MarketStart } from './fuzz-ground.js';
import { countCandles, type History, type DrawnRuleChange, type MarketStretch } from './history.js';

/** A history in the form of candles and rules. */
export interface LaidOut {
  readonly markets: readonly LaidOutMarket[];
  /** Candles of the longest market of the history, missing ones included. */
  readonly candles: number;
  /** Close of the last candle. */
  readonly to: EpochMs;
  readonly lateMs: number;
}

export interface LaidOutMarket {
  readonly instrumentId: InstrumentId;
  readonly columns: CandleColumns;
  readonly rules: readonly DatedRules[];
}

/** Worth of a candle's volume if it is not thin, in multiples of the account: enough for every order. */
const PLENTY = 10_000;
/** Quiet candles before a history go up and down by this much, so that indicators have values. */
const QUIET_BPS = 5;
/** A price stays within this factor of its start. */
const FARTHEST = 50;
/** Larger minimum of an order, as a share of the account. */
const LARGER_MINIMUM = 0.02;

/** Makes the candles and rules of a history; undefined if an instrument would have no candle. */
export function layOut(ground: FuzzGround, history: History): LaidOut | undefined {
  const sheets = history.markets.map((stretches, index) => {
    const sheet = new MarketSheet(ground, ground.starts[index] as MarketStart);
    for (const stretch of stretches) sheet.add(stretch);
    return sheet;
  });
  const candles = Math.max(...sheets.map((sheet) => sheet.candles));
  // A market that ends earlier stays flat until the end.
  for (const sheet of sheets) sheet.add({ kind: 'flat', candles: candles - sheet.candles });
  if (candles === 0 || sheets.some((sheet) => sheet.isEmpty)) return undefined;
  return {
    markets: sheets.map((sheet) => sheet.finish()),
    candles,
    to: Math.max(...sheets.map((sheet) => sheet.end)),
    lateMs: history.lateMs,
  };
}

/** Builds the candles of one market, stretch by stretch. */
class MarketSheet {
  readonly #ground: FuzzGround;
  readonly #start: MarketStart;
  readonly #rows: number[][] = [];
  readonly #rules: DatedRules[];
  readonly #first: EpochMs;
  #openTime: EpochMs;
  #price: number;
  /** Candles since the beginning of the history. */
  candles = 0;
  /** Missing candles in a row. */
  #missing = 0;

  constructor(ground: FuzzGround, start: MarketStart) {
    const lengthMs = nominalIntervalMs(ground.interval);
    this.#ground = ground;
    this.#start = start;
    this.#price = start.price;
    this.#openTime = ground.from - ground.lead * lengthMs;
    this.#first = this.#openTime;
    this.#rules = [{ from: this.#first, rules: start.rules }];
    for (let index = 0; index < ground.lead; index += 1) {
      const price = start.price * (1 + (index % 2) * (QUIET_BPS / 10_000));
      this.#push({ close: price });
    }
    this.#price = start.price;
  }

  /** Open time of its next candle. */
  get end(): EpochMs {
    return this.#openTime;
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  add(stretch: MarketStretch): void {
    const { kind } = stretch;
    if (kind === 'rules') {
      this.#changeRules(stretch.change);
      return;
    }
    const count = countCandles(stretch);
    for (let index = 0; index < count && this.candles < this.#ground.candles; index += 1) {
      if (kind !== 'halt') this.#push(this.#candleOf(stretch));
      else if (!this.#skip()) return;
      this.candles += 1;
    }
  }

  finish(): LaidOutMarket {
    const column = (place: number): Float64Array =>
      Float64Array.from(this.#rows, (row) => row[place] as number);
    return {
      instrumentId: this.#start.instrumentId,
      columns: {
        openTime: column(0),
        open: column(1),
        high: column(2),
        low: column(3),
        close: column(4),
        volume: column(5),
      },
      rules: this.#rules,
    };
  }

  #candleOf(stretch: Exclude<MarketStretch, { kind: 'rules' | 'halt' }>): Sketch {
    switch (stretch.kind) {
      case 'flat':
        return { close: this.#price };
      case 'thin':
        return { close: this.#price, accounts: stretch.percent / 100 };
      case 'move':
        return { close: this.#away(stretch.bps) };
      case 'gap': {
        this.#price = this.#onTick(this.#away(stretch.bps));
        return { close: this.#price };
      }
      case 'spike':
        return { close: this.#price, reach: this.#away(stretch.bps) };
    }
  }

  #away(bps: number): number {
    return this.#price * (1 + bps / 10_000);
  }

  /** Adds a candle that opens at the current price. Its close becomes the current price. */
  #push({ close, reach = close, accounts = PLENTY }: Sketch): void {
    const open = this.#onTick(this.#price);
    const [end, far] = [this.#onTick(close), this.#onTick(reach)];
    const volume = (accounts * this.#start.money) / end;
    this.#rows.push([
      this.#openTime,
      open,
      Math.max(open, end, far),
      Math.min(open, end, far),
      end,
      Number(volume.toPrecision(6)),
    ]);
    this.#price = end;
    this.#openTime = closeTimeOf(this.#openTime, this.#ground.interval);
    this.#missing = 0;
  }

  /** Leaves out a candle. Returns false if the configuration accepts no gap of that length. */
  #skip(): boolean {
    const { interval, config } = this.#ground;
    const longest = config.simulation.maxGapMs ?? Number.POSITIVE_INFINITY;
    if ((this.#missing + 1) * nominalIntervalMs(interval) > longest) return false;
    this.#missing += 1;
    this.#openTime = closeTimeOf(this.#openTime, interval);
    return true;
  }

  /** Rounds a price to the current grid, within {@link FARTHEST} of the start. */
  #onTick(price: number): number {
    const { pricePrecision } = this.#rules.at(-1)?.rules ?? this.#start.rules;
    const near = Math.min(
      Math.max(price, this.#start.price / FARTHEST),
      this.#start.price * FARTHEST,
    );
    return Math.max(
      Number(near.toFixed(pricePrecision)),
      Number((10 ** -pricePrecision).toFixed(pricePrecision)),
    );
  }

  #changeRules(change: DrawnRuleChange): void {
    const from = this.#openTime;
    if (from === this.#first) return;
    const entry = { from, rules: rulesAfter(change, this.#start) };
    if (this.#rules.at(-1)?.from === from) this.#rules.pop();
    this.#rules.push(entry);
  }
}

/** A candle before its prices are rounded to the grid. */
interface Sketch {
  readonly close: number;
  /** Farthest price within the candle. */
  readonly reach?: number;
  /** Worth of its volume, in multiples of the account. */
  readonly accounts?: number;
}

function rulesAfter(
  change: DrawnRuleChange,
  { rules, money, price }: MarketStart,
): InstrumentRules {
  switch (change) {
    case 'as before':
      return rules;
    case 'closed':
      return { ...rules, tradable: false };
    case 'larger minimum': {
      const minimum = parseFixed((money * LARGER_MINIMUM).toFixed(2));
      const { minOrderMoney = 0n, maxMarketMoney } = rules;
      const larger = minimum > minOrderMoney ? minimum : minOrderMoney * 2n;
      const isAllowed = maxMarketMoney === undefined || larger <= maxMarketMoney;
      return { ...rules, minOrderMoney: isAllowed ? larger : maxMarketMoney };
    }
    case 'coarser steps': {
      const { pricePrecision, quantityPrecision } = rules;
      // Prices keep at least three digits, so that one step is no jump.
      const prices =
        price * 10 ** (pricePrecision - 1) >= 100 ? pricePrecision - 1 : pricePrecision;
      return {
        ...rules,
        pricePrecision: Math.max(0, prices),
        quantityPrecision: Math.max(0, quantityPrecision - 2),
      };
    }
  }
}
