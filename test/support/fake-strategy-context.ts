import { EMPTY, NEVER, Subject, type Observable, type Subscription } from 'rxjs';

import {
  Balance,
  Decimal,
  Position,
  type Candle,
  type Direction,
  type EpochMs,
  type Fill,
  type InstrumentId,
  type Order,
  type OrderIntent,
} from '../../src/domain/index.js';
import {
  parseParameters,
  STRATEGY,
  type AnyIndicator,
  type InstrumentStreams,
  type Market,
  type StrategyClass,
  type StrategyContext,
  type StreamReference,
} from '../../src/strategy/index.js';

export interface FakeContextOptions {
  readonly instruments: readonly InstrumentStreams[];
  /** What differs from the declared defaults. @defaultValue nothing */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Lets timers come due before a candle is delivered. @defaultValue time stands still for timers */
  readonly passTime?: (milliseconds: number) => void;
}

interface FakeStream {
  readonly instrumentId: InstrumentId;
  readonly interval: string;
  readonly candles: Subject<Candle>;
  readonly indicators: AnyIndicator[];
}

/**
 * A strategy's surroundings under a test's control: candles are delivered by hand, positions are what the test says, and every
 * intent is kept. Unlike the engine it has no warm-up, no risk and no fills of its own, and timers due at the instant of a
 * candle come before it.
 */
export class FakeStrategyContext implements StrategyContext {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly instruments: readonly InstrumentStreams[];
  readonly market: Market;
  readonly log = { debug: () => undefined, info: () => undefined, warn: () => undefined };
  readonly verdicts$ = NEVER;
  readonly halts$ = NEVER;
  readonly funding$ = NEVER;
  readonly accountEvents$ = NEVER;
  readonly orders$ = new Subject<Order>();
  readonly fills$ = new Subject<Fill>();
  /** Everything has to be raised. */
  readonly repeat: StrategyContext['repeat'] = () => undefined;
  /** What the strategy wanted, oldest first. */
  readonly intents: OrderIntent[] = [];
  readonly #streams: readonly FakeStream[];
  readonly #slices = new Subject<readonly Candle[]>();
  readonly #listeners = new Set<(candle: Candle) => void>();
  readonly #positions = new Map<InstrumentId, Position>();
  readonly #last = new Map<InstrumentId, number>();
  readonly #passTime: (milliseconds: number) => void;
  #now: EpochMs | undefined;

  constructor(strategyClass: StrategyClass, options: FakeContextOptions) {
    const { instruments, parameters = {}, passTime = () => undefined } = options;
    const parsed = parseParameters(strategyClass[STRATEGY].parameters, parameters);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    this.parameters = parsed.values;
    this.instruments = instruments;
    this.#passTime = passTime;
    this.#streams = instruments.flatMap(({ instrumentId, intervals }) =>
      intervals.map((interval) => ({
        instrumentId,
        interval,
        candles: new Subject<Candle>(),
        indicators: [],
      })),
    );
    this.market = {
      candles$: (instrument, interval) => this.#stream({ instrument, interval }).candles,
      slices$: this.#slices,
      marks$: () => NEVER,
      ticker$: () => NEVER,
      depth$: () => NEVER,
      trades$: () => NEVER,
      index$: () => NEVER,
    };
  }

  /** Delivers candles that close at one instant, in the order given. */
  deliver(...slice: readonly Candle[]): void {
    const closeTime = slice[0]?.closeTime ?? this.now();
    if (this.#now !== undefined) this.#passTime(closeTime - this.#now);
    this.#now = closeTime;
    for (const candle of slice) {
      const stream = this.#stream({ instrument: candle.instrumentId, interval: candle.interval });
      this.#last.set(candle.instrumentId, candle.close);
      for (const indicator of stream.indicators) indicator.update(candle);
      stream.candles.next(candle);
      for (const listener of this.#listeners) listener(candle);
    }
    this.#slices.next(slice);
  }

  /** Says what is held of an instrument from now on. */
  hold(quantity: bigint, instrument?: string): void {
    const instrumentId = this.#instrument(instrument);
    this.#positions.set(
      instrumentId,
      new Position(instrumentId, 'long', { quantity, entryValue: quantity * 100n }),
    );
  }

  now(): EpochMs {
    return this.#now ?? 0;
  }

  random(): number {
    return 0.5;
  }

  ordersOf(): readonly Order[] {
    return [];
  }

  statusOf(): Observable<Order> {
    return EMPTY;
  }

  raise(intent: OrderIntent): number {
    return this.intents.push(intent);
  }

  position(instrument?: string, direction: Direction = 'long'): Position {
    const instrumentId = this.#instrument(instrument);
    const none = new Position(instrumentId, direction, { quantity: 0n, entryValue: 0n });
    return this.#positions.get(instrumentId) ?? none;
  }

  balance(asset: string): Balance {
    return new Balance(asset, { free: 0n, locked: 0n });
  }

  equity(): Decimal {
    return new Decimal(10_000);
  }

  last(instrument?: string): number | undefined {
    return this.#last.get(this.#instrument(instrument));
  }

  markPrice(): undefined {
    return undefined;
  }

  fundingRate(): undefined {
    return undefined;
  }

  instrument(): never {
    throw new Error('nothing is known of instruments here');
  }

  workingOrders(): readonly Order[] {
    return [];
  }

  attachIndicator(indicator: AnyIndicator, stream: StreamReference): void {
    this.#stream(stream).indicators.push(indicator);
  }

  every(): () => void {
    return () => undefined;
  }

  listen(onCandle: (candle: Candle) => void): () => void {
    this.#listeners.add(onCandle);
    return () => this.#listeners.delete(onCandle);
  }

  #instrument(name: string | undefined): InstrumentId {
    return this.#stream({ instrument: name }).instrumentId;
  }

  #stream({ instrument, interval }: StreamReference): FakeStream {
    const found = this.#streams.find(
      (stream) =>
        (instrument === undefined || stream.instrumentId === instrument) &&
        (interval === undefined || stream.interval === interval),
    );
    if (found === undefined) {
      throw new Error(`no stream ${String(instrument)} ${String(interval)}`);
    }
    return found;
  }
}

/** Makes a strategy in a fake context and subscribes to its intents, which are kept in the context like raised ones. */
export function startStrategy(
  strategyClass: StrategyClass,
  options: FakeContextOptions,
): { readonly context: FakeStrategyContext; readonly subscription: Subscription } {
  const context = new FakeStrategyContext(strategyClass, options);
  const strategy = new strategyClass(context);
  const subscription = strategy.intents(context.market).subscribe((intent) => {
    context.raise(intent);
  });
  return { context, subscription };
}

/** Intents with their decimals as texts, to be compared. */
export function readable(intents: readonly OrderIntent[]): unknown {
  return JSON.parse(JSON.stringify(intents));
}
