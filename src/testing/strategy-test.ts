import type { BacktestConfig, MarketTerms } from '../assembly/backtest/index.js';
import {
  A_SWITCH,
  A_TEXT,
  checkOptions,
  oneOf,
  wholeFrom,
  type OptionCheck,
  type OptionChecks,
} from '../config/index.js';
import {
  fixedFromNumber,
  formatFixed,
  HALT_ACTIONS,
  nominalIntervalMs,
  parseDuration,
  parseFixed,
  present,
  splitInstrumentId,
  UsageError,
  type Asset,
  type Balance,
  type Decimal,
  type Direction,
  type EpochMs,
  type Fill,
  type HaltAction,
  type InstrumentId,
  type InstrumentRules,
  type Order,
  type OrderIntent,
  type Position,
} from '../domain/index.js';
import type { Engine } from '../engine/index.js';
import type { StrategyContext, StrategyInstance } from '../strategy/index.js';
import type { CandleClock } from './candle-clock.js';
import { shapesBy, type PlayedShape } from './candle-shapes.js';
import { PRICE_DECIMALS } from './played-path.js';
import { drawMarbles, type MarbleLetters } from './marbles.js';
import type { LogLine, TestRecord, TestRefusal } from './test-record.js';
import type { TestedMarket } from './tested-market.js';

/** Rules of an instrument that a test changes. Amounts as text, in base, contracts or quote as in `simulation.rules`. */
export interface ChangedRules {
  readonly tradable?: boolean;
  readonly pricePrecision?: number;
  readonly quantityPrecision?: number;
  readonly minOrderQuantity?: string;
  readonly minOrderMoney?: string;
  readonly maxMarketQuantity?: string;
  readonly maxMarketMoney?: string;
  readonly maxLimitQuantity?: string;
  readonly maxWorkingOrders?: number;
}

const RULES: OptionChecks<ChangedRules> = {
  ...{ tradable: A_SWITCH, pricePrecision: wholeFrom(0), quantityPrecision: wholeFrom(0) },
  ...{ minOrderQuantity: A_TEXT, minOrderMoney: A_TEXT, maxMarketQuantity: A_TEXT },
  ...{ maxMarketMoney: A_TEXT, maxLimitQuantity: A_TEXT, maxWorkingOrders: wholeFrom(0) },
};

const CANDLES: OptionCheck = {
  expected: 'a list of candles such as closes(100, 101)',
  accepts: (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
  isRequired: true,
};
const PRICE: OptionCheck = {
  expected: 'a price above 0',
  accepts: (value) => Number.isFinite(value) && (value as number) > 0,
  isRequired: true,
};

/** A stop, and the last price at which it fires; as text. */
export interface WatchedStop {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  readonly price: string;
}

export interface StrategyTestParts<S> {
  readonly strategy: S;
  readonly context: StrategyContext;
  readonly engine: Engine;
  readonly market: TestedMarket;
  readonly clock: CandleClock;
  readonly record: TestRecord;
  readonly config: BacktestConfig;
  readonly terms: Pick<MarketTerms, 'rules'>;
}

/**
 * A strategy under test, on the engine that backtests and bots use. Members such as {@link position} show what the strategy itself sees.
 *
 * The venue is that of a bot on paper. It knows only last prices, which are polled at a candle's open, at its extremes (the nearer one first) and at its
 * close. A market order that is sent at a close fills at the next open. A resting order fills at its limit when a price has reached it. Stops are sampled at
 * each poll.
 */
export class StrategyTest<S extends StrategyInstance = StrategyInstance> {
  /** The instance that the engine has constructed. */
  readonly strategy: S;
  readonly #parts: StrategyTestParts<S>;
  /** For each candle: the number of intents up to its end. */
  readonly #intentsBy: number[] = [];
  #isOpened = false;
  #isStopped = false;

  constructor(parts: StrategyTestParts<S>) {
    this.strategy = parts.strategy;
    this.#parts = parts;
  }

  // Actions of the test.

  /**
   * Plays candles of the shortest interval, one after the other; longer candles are made of them.
   *
   * @param candles - of the first instrument; for several instruments, each item is a mapping by symbol. `GAP`: time passes without a candle.
   * @throws {StrategyError} if the strategy fails; {DomainError} `E_TEST_CANDLE` for an invalid candle, `E_INSTRUMENT_UNKNOWN`; {UsageError} `E_USAGE` after
   * {@link stop}, for a candle whose time {@link pass} has left behind, or for something else than a list.
   */
  play(candles: readonly PlayedShape[]): this {
    if (this.#isStopped)
      throw new UsageError('E_USAGE', 'play: expected a run that goes on, and stop() has ended it');
    checkOptions({ candles }, { candles: CANDLES }, 'play');
    for (const one of candles) this.#playOne(one);
    return this;
  }

  /**
   * Lets time pass without a candle, such as `'90s'` or `'15min'`: timers fire, the venue answers. The open time of the next candle does not change, so
   * after more than a candle's time no candle can follow; play `GAP` for that.
   */
  pass(duration: string): this {
    const { market } = this.#parts;
    market.passTo(market.now + parseDuration(duration));
    market.tell({ kind: 'timer', time: market.now });
    return this;
  }

  /** Polls a last price now: stops are sampled at it. @throws {UsageError} `E_USAGE` for a price that is not above 0. */
  tick(price: number, instrument?: string): this {
    checkOptions({ price }, { price: PRICE }, 'tick');
    this.#parts.market.tick(this.#resolve(instrument), fixedFromNumber(price, PRICE_DECIMALS));
    return this;
  }

  /**
   * Sets the mark price of a contract from now on. A liquidation that follows from it happens at the next last price.
   *
   * @throws {UsageError} `E_USAGE` for a price that is not above 0, and for a pair, which has no mark.
   */
  mark(price: number, instrument?: string): this {
    checkOptions({ price }, { price: PRICE }, 'mark');
    this.#parts.market.mark([{ instrumentId: this.#contract('mark', instrument), price }]);
    return this;
  }

  /** Settles funding now on the position in a contract. `rate`: a ratio as text; longs pay when it is positive. @throws {UsageError} `E_USAGE` for a pair. */
  settleFunding(rate: string, instrument?: string): this {
    const instrumentId = this.#contract('settleFunding', instrument);
    const { markPrice, last } = this.#parts.context.instrument(instrumentId);
    const price = present(markPrice ?? last, `a price of ${instrumentId}`);
    this.#parts.market.settleFunding(
      instrumentId,
      parseFixed(rate),
      fixedFromNumber(price, PRICE_DECIMALS),
    );
    return this;
  }

  /** Changes the venue's rules for an instrument from now on. Rules that are left out stay. @throws {UsageError} `E_USAGE` */
  changeRules(changed: ChangedRules, instrument?: string): this {
    checkOptions(changed, RULES, 'rules');
    const { market, terms } = this.#parts;
    const instrumentId = this.#resolve(instrument);
    const before = present(terms.rules.at(instrumentId, market.now), `rules of ${instrumentId}`);
    const rules: InstrumentRules = { ...before, ...exactRules(changed) };
    market.tell({ kind: 'rules', time: market.now, instrumentId, rules });
    return this;
  }

  /** Makes the venue reject the next order that is sent. */
  rejectNext(text = 'turned down by the test'): this {
    this.#parts.market.rejectNext({ code: 'test', text });
    return this;
  }

  /** Makes a condition for entries stale or unknown, such as a feed or a spent budget of calls: entries are refused until {@link recover}. */
  degrade(text = 'market data is stale', instrument?: string): this {
    return this.#changeHealth({ isDegraded: true, text }, instrument);
  }

  recover(text = 'all is fresh again', instrument?: string): this {
    return this.#changeHealth({ isDegraded: false, text }, instrument);
  }

  /** Uses the operator's kill switch: no entries until {@link resume}. @param onHalt - what else happens. @defaultValue working entries are canceled */
  halt(onHalt: HaltAction = 'cancel', text = 'halted by the test'): this {
    checkOptions({ onHalt }, { onHalt: oneOf(HALT_ACTIONS) }, 'halt');
    const { market } = this.#parts;
    market.tell({ kind: 'operator', time: market.now, action: 'halt', onHalt, text });
    return this;
  }

  resume(): this {
    const { market } = this.#parts;
    market.tell({ kind: 'operator', time: market.now, action: 'resume' });
    return this;
  }

  /** Raises an intent for the strategy, one second from now, in addition to its own. The strategy must be warm. An order waits for the next price, as usual. */
  want(intent: OrderIntent): this {
    const { context } = this.#parts;
    const forget = context.every('1s', () => {
      forget();
      context.raise(intent);
    });
    return this.pass('1s');
  }

  /** Ends the run: the strategy's streams complete, its timers are removed. */
  stop(): this {
    const { engine, market } = this.#parts;
    market.tell({ kind: 'end', time: market.now });
    engine.stop();
    this.#isStopped = true;
    return this;
  }

  // State and results.

  /** Length of a played candle, in milliseconds. */
  get candleMs(): number {
    return nominalIntervalMs(this.#parts.clock.interval);
  }

  /** UTC milliseconds. */
  get now(): EpochMs {
    return this.#parts.market.now;
  }

  /** Time of the next timer, UTC milliseconds; undefined if none is set. */
  get nextTimer(): EpochMs | undefined {
    const next = this.#parts.engine.nextTimer();
    return Number.isFinite(next) ? next : undefined;
  }

  /** Whether the strategy has received the candles that its indicators need. Earlier intents are dropped. */
  get isWarm(): boolean {
    return this.#parts.engine.isWarm;
  }

  /** All intents that were not dropped, oldest first, amounts as text. */
  get intents(): readonly OrderIntent[] {
    return this.#parts.record.intents.map(({ intent }) => readable(present(intent, 'intent')));
  }

  /** All orders in their present state, oldest first. */
  get orders(): readonly Order[] {
    return [...this.#parts.record.orders.values()];
  }

  /** Orders that may still fill, oldest first. */
  get workingOrders(): readonly Order[] {
    return this.#parts.context.workingOrders();
  }

  get fills(): readonly Fill[] {
    return this.#parts.record.fills;
  }

  /** Number of intents that were dropped, because the strategy was not warm yet or the run was over. */
  get dropped(): number {
    return this.#parts.record.dropped;
  }

  get refusals(): readonly TestRefusal[] {
    return this.#parts.record.refusals;
  }

  get logs(): readonly LogLine[] {
    return this.#parts.record.logs;
  }

  /** Without a direction, the side that is held; long if no side or both sides are held. */
  position(instrument?: string, direction?: Direction): Position {
    return this.#parts.context.position(instrument, direction);
  }

  /** All positions, of each instrument and side. */
  get positions(): readonly Position[] {
    const { context } = this.#parts;
    return context.instruments
      .flatMap(({ instrumentId }) =>
        (['long', 'short'] as const).map((side) => context.position(instrumentId, side)),
      )
      .filter(({ quantity }) => !quantity.isZero());
  }

  /** The watched stops: of positions, and of orders that wait for their trigger. */
  get stops(): readonly WatchedStop[] {
    return this.#parts.engine.stops().map(({ instrumentId, direction, level }) => ({
      instrumentId,
      direction,
      price: formatFixed(level),
    }));
  }

  /** Sides whose exit waits for the end of orders that it cancels first. */
  get waitingExits(): readonly Pick<Position, 'instrumentId' | 'direction'>[] {
    return this.#parts.engine.waitingIntents.filter(({ intent }) => intent.kind === 'exit');
  }

  /** Balance on the account of the first instrument. */
  balance(asset: Asset): Balance {
    return this.#parts.context.balance(asset);
  }

  /** Cash and positions in the equity currency: coins at last prices, contracts at their mark, or at last without one. */
  get equity(): Decimal {
    return this.#parts.context.equity();
  }

  /**
   * The intents as a marble diagram: for each candle's time a letter, `-` for no intent, or `(…)` around several letters.
   *
   * @param letters - by kind of intent. @defaultValue e enter, x exit, p protect, c cancel, r replace, f flatten, t target
   */
  marbles(letters?: MarbleLetters): string {
    return drawMarbles(
      this.#parts.record.intents.map(({ intent }) => present(intent, 'intent').kind),
      this.#intentsBy,
      letters,
    );
  }

  #contract(action: string, instrument: string | undefined): InstrumentId {
    const id = this.#resolve(instrument);
    if (splitInstrumentId(id).kind === 'futures') return id;
    throw new UsageError('E_USAGE', `${action}: expected a contract, received ${id}`);
  }

  #playOne(one: PlayedShape): void {
    const { clock, market, record } = this.#parts;
    clock.requireTime(market.now);
    const slice = clock.next(shapesBy(one, (name) => this.#resolve(name)));
    if (!this.#isOpened) {
      this.#isOpened = true;
      const prices = slice.played.map(({ candle: { instrumentId, open } }) => ({
        instrumentId,
        price: open,
      }));
      market.tell({ kind: 'opening', time: market.now, prices });
    }
    market.pass(slice);
    this.#intentsBy.push(record.intents.length);
  }

  #changeHealth(change: { isDegraded: boolean; text: string }, instrument?: string): this {
    const { market } = this.#parts;
    const instrumentId = instrument === undefined ? undefined : this.#resolve(instrument);
    market.tell({ kind: 'health', time: market.now, ...change, instrumentId });
    return this;
  }

  /** @throws {DomainError} `E_INSTRUMENT_UNKNOWN` */
  #resolve(name: string | undefined): InstrumentId {
    return this.#parts.context.instrument(name).instrumentId;
  }
}

/** Turns amounts into text and leaves out undefined members. */
function readable(intent: OrderIntent): OrderIntent {
  return JSON.parse(JSON.stringify(intent)) as OrderIntent;
}

function exactRules({
  tradable,
  pricePrecision,
  quantityPrecision,
  maxWorkingOrders,
  ...limits
}: ChangedRules): Partial<InstrumentRules> {
  return {
    ...(tradable !== undefined && { tradable }),
    ...(pricePrecision !== undefined && { pricePrecision }),
    ...(quantityPrecision !== undefined && { quantityPrecision }),
    ...(maxWorkingOrders !== undefined && { maxWorkingOrders }),
    ...Object.fromEntries(
      Object.entries(limits).map(([name, text]: [string, string]) => [name, parseFixed(text)]),
    ),
  };
}
