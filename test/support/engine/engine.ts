import {
  MINUTE_MS,
  parseFixed,
  RuleBook,
  type Asset,
  type Candle,
  type EpochMs,
  type Instrument,
  type InstrumentRules,
  type Interval,
  type SpotInstrument,
} from '../../../src/domain/index.js';
import type { RiskPolicy } from '../../../src/risk/index.js';
import { Engine, type EngineEvent, type EngineOptions } from '../../../src/engine/index.js';
import type { StrategyClass } from '../../../src/strategy/index.js';
import { DEFAULT_CHOICES, someFees, SPOT } from '../risk/builders.js';
import { MemoryJournal } from './memory-journal.js';

/** 2025-01-01T00:00:00Z, when every engine of these tests starts. */
export const START: EpochMs = Date.UTC(2025, 0, 1);

export interface EngineSetup extends Partial<
  Omit<EngineOptions, 'strategyClass' | 'balances' | 'rules' | 'policy' | 'instruments'>
> {
  /** Instruments with their streamed intervals. @defaultValue spot:BTCUSDT by the minute */
  readonly instruments?: readonly {
    readonly instrument: Instrument;
    readonly intervals: readonly Interval[];
  }[];
  /** Amounts as decimal text, on the account of the first instrument. @defaultValue 10,000 USDT */
  readonly balances?: Readonly<Record<Asset, string>>;
  /** @defaultValue no fees */
  readonly fees?: Parameters<typeof someFees>[0];
  /** Replaces rules of every instrument; by default tick 0.01, step 0.001. */
  readonly rules?: Partial<InstrumentRules>;
  readonly tooLarge?: RiskPolicy['tooLarge'];
}

/** An engine that has not constructed its strategy yet. */
export function anEngine(strategyClass: StrategyClass, setup: EngineSetup = {}): Engine {
  return new Engine(someOptions(strategyClass, setup));
}

/** The options of {@link anEngine}. */
export function someOptions(strategyClass: StrategyClass, setup: EngineSetup = {}): EngineOptions {
  const {
    instruments = [{ instrument: SPOT, intervals: ['1min'] as const }],
    balances = { USDT: '10000' },
    fees = { maker: '0', taker: '0' },
    rules,
    tooLarge = DEFAULT_CHOICES.tooLarge,
    ...others
  } = setup;
  const rates = someFees(fees);
  return {
    botId: 'test',
    strategyClass,
    parameters: {},
    instruments,
    rules: aRuleBook(
      instruments.map(({ instrument }) => instrument),
      rules,
    ),
    policy: { ...DEFAULT_CHOICES, tooLarge, fees: () => rates },
    balances: {
      [instruments[0]?.instrument.kind ?? 'spot']: new Map(
        Object.entries(balances).map(([asset, amount]) => [asset, parseFixed(amount)]),
      ),
    },
    equityCurrency: 'USDT',
    seed: 1,
    startTime: START,
    journal: new MemoryJournal(),
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
    ...others,
  };
}

/** An engine whose strategy is constructed and subscribed to at {@link START}. */
export function aStartedEngine(strategyClass: StrategyClass, setup: EngineSetup = {}): Engine {
  const engine = anEngine(strategyClass, setup);
  engine.construct();
  engine.start(START);
  return engine;
}

/** Rules of each instrument: tick 0.01 and step 0.001 (whole contracts). The given rules replace them. */
export function aRuleBook(
  instruments: readonly Instrument[],
  rules: Partial<InstrumentRules> = {},
): RuleBook {
  const book = new RuleBook();
  for (const { id, kind } of instruments) {
    const quantityPrecision = kind === 'futures' ? 0 : 3;
    book.set(id, [
      { from: 0, rules: { tradable: true, pricePrecision: 2, quantityPrecision, ...rules } },
    ]);
  }
  return book;
}

/** A spot pair such as `ETH/USDT`. */
export function aSpot(base: Asset, quote: Asset = 'USDT'): SpotInstrument {
  const symbol = `${base}${quote}`;
  return { ...SPOT, id: `spot:${symbol}` as SpotInstrument['id'], symbol, base, quote };
}

/** The candle of BTCUSDT that closes `minute` minutes after {@link START}, without movement at its close. */
export function aMinute(minute: number, overrides: Partial<Candle> = {}): Candle {
  const closeTime = START + minute * MINUTE_MS;
  const price = overrides.close ?? 100;
  return {
    instrumentId: SPOT.id,
    interval: '1min',
    openTime: closeTime - MINUTE_MS,
    closeTime,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: 10,
    ...overrides,
  };
}

/** The event for candles that close at one instant. */
export function closing(first: Candle, ...others: readonly Candle[]): EngineEvent {
  return { kind: 'candles', time: first.closeTime, candles: [first, ...others] };
}

/** The event of a timer at `time`. */
export function passing(time: EpochMs): EngineEvent {
  return { kind: 'timer', time };
}

/** Gives an engine events in order and wakes it for each timer between them, and until `until`. */
export function play(engine: Engine, events: readonly EngineEvent[], until: EpochMs): void {
  for (const event of events) {
    while (engine.nextTimer() < event.time) engine.process(passing(engine.nextTimer()));
    engine.process(event);
  }
  while (engine.nextTimer() <= until) engine.process(passing(engine.nextTimer()));
}
