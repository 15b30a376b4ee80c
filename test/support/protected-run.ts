import { createBotId } from '../../src/assembly/identity/hash-inputs.js';
import {
  createRuleBook,
  replayBacktest,
  type BacktestConfig,
  type SimulationConfig,
} from '../../src/assembly/index.js';
import { createInstrument } from '../../src/assembly/market/create-instruments.js';
import {
  createInstrumentId,
  HOUR_MS,
  type CandleColumns,
  type CandleSeries,
  type EpochMs,
  type Halt,
  type InstrumentId,
} from '../../src/domain/index.js';
import type { RunRecord } from '../../src/report/index.js';
import type { ProtectionConfig } from '../../src/risk/index.js';
import { Engine, type Journal, type JournalEntry } from '../../src/engine/index.js';
import {
  CandleStrategy,
  type CandleDrivenStrategy,
  type StrategyClass,
} from '../../src/strategy/index.js';
import { aBacktestConfig } from './backtest-config.js';
import { createMemoryArchive } from './memory-archive.js';
import { BTC, ETH } from './replay.js';

/** 2025-01-01T00:00:00Z, a Wednesday: the first candle opens. */
export const FIRST_OPEN: EpochMs = Date.UTC(2025, 0, 1);

/** When the candle of this index closes. */
export const closeOf = (index: number): EpochMs => FIRST_OPEN + (index + 1) * HOUR_MS;

/** Actions of a strategy, by the index of the candle at whose close they happen. */
export type Plan = Readonly<Record<number, (strategy: CandleDrivenStrategy<unknown>) => void>>;

export interface ProtectedSetup {
  readonly plan: Plan;
  readonly protections: ProtectionConfig;
  /** Closes of flat hourly candles of BTCUSDT. ETHUSDT stays at 50. */
  readonly closes: readonly number[];
  readonly simulation?: Partial<SimulationConfig>;
  /** Trades ETHBTC as well, at this price. */
  readonly inBtc?: number;
  /** Volume of each candle. @defaultValue 1,000 */
  readonly volume?: number;
}

export interface ProtectedRun {
  readonly record: RunRecord;
  /** Halts that the strategy received, by its method and by its stream. */
  readonly told: { readonly method: readonly Halt[]; readonly stream: readonly Halt[] };
  /** Every event with its commands. */
  readonly entries: readonly JournalEntry[];
  /** Runs a new engine on the same events. */
  replay(): Pick<RunRecord, 'halts' | 'refusals'> & { readonly entries: readonly JournalEntry[] };
}

const ETHBTC = createInstrumentId('spot', 'ETHBTC');

const PAIR_IN_BTC = {
  kind: 'spot',
  instrumentId: ETHBTC,
  symbol: 'ETHBTC',
  base: 'ETH',
  quote: 'BTC',
  intervals: ['1h'],
} as const satisfies BacktestConfig['instruments'][number];

/** Backtests a plan over candles of BTCUSDT and ETHUSDT, without costs. */
export async function playProtected(setup: ProtectedSetup): Promise<ProtectedRun> {
  const config = configOf(setup);
  const journal = createFullJournal();
  const told = { method: [], stream: [] };
  const record = await replayBacktest({
    config,
    archive: createMemoryArchive([
      { instrumentId: BTC, interval: '1h', columns: flat(setup.closes, setup.volume) },
      {
        instrumentId: ETH,
        interval: '1h',
        columns: flat(
          setup.closes.map(() => 50),
          setup.volume,
        ),
      },
      ...(setup.inBtc === undefined ? [] : [seriesInBtc(setup, setup.inBtc)]),
    ]),
    strategyClass: planned(setup.plan, told),
    sourceHash: '',
    journal,
  });
  return { record, told, entries: journal.entries, replay: () => rebuild(setup, journal.entries) };
}

function seriesInBtc({ closes, volume }: ProtectedSetup, price: number): CandleSeries {
  const columns = flat(
    closes.map(() => price),
    volume,
  );
  return { instrumentId: ETHBTC, interval: '1h', columns };
}

function configOf({ protections, inBtc, simulation = {} }: ProtectedSetup): BacktestConfig {
  const rules = { tradable: true, pricePrecision: 2, quantityPrecision: 5 };
  const config = aBacktestConfig({
    instrumentId: BTC,
    interval: '1h',
    simulation: {
      rules: new Map<InstrumentId, typeof rules>([
        [BTC, rules],
        [ETH, rules],
        [ETHBTC, rules],
      ]),
      ...simulation,
    },
  });
  return {
    ...config,
    instruments: [
      ...config.instruments,
      {
        kind: 'spot',
        instrumentId: ETH,
        symbol: 'ETHUSDT',
        base: 'ETH',
        quote: 'USDT',
        intervals: ['1h'],
      },
      ...(inBtc === undefined ? [] : [PAIR_IN_BTC]),
    ],
    risk: { ...config.risk, protections },
  };
}

function planned(
  plan: Plan,
  told: { readonly method: Halt[]; readonly stream: Halt[] },
): StrategyClass {
  class Planned extends CandleStrategy({}) {
    readonly #done = new Set<number>();

    override intents(): ReturnType<CandleDrivenStrategy<unknown>['intents']> {
      this.halts$.subscribe((halt) => told.stream.push(halt));
      return super.intents();
    }

    override onHalt(halt: Halt): void {
      told.method.push(halt);
    }

    override onCandle(): void {
      // Candles of one instant come in the order of the config. The plan runs at the first.
      const index = Math.round((this.now - FIRST_OPEN) / HOUR_MS) - 1;
      if (this.#done.has(index)) return;
      this.#done.add(index);
      plan[index]?.(this);
    }
  }
  return Planned;
}

function createFullJournal(): Journal & { readonly entries: JournalEntry[] } {
  const entries: JournalEntry[] = [];
  return { entries, append: (event, commands) => entries.push({ event, commands }) };
}

function rebuild(
  setup: ProtectedSetup,
  entries: readonly JournalEntry[],
): ReturnType<ProtectedRun['replay']> {
  const { risk, simulation, instruments, name, equityCurrency } = configOf(setup);
  const journal = createFullJournal();
  const engine = new Engine({
    botId: createBotId(name),
    strategyClass: planned(setup.plan, { method: [], stream: [] }),
    parameters: {},
    instruments: instruments.map((each) => ({
      instrument: createInstrument(each),
      intervals: each.intervals,
    })),
    rules: createRuleBook(configOf(setup)),
    policy: { ...risk, fees: () => simulation.fees },
    protections: risk.protections,
    balances: simulation.balances,
    equityCurrency,
    seed: simulation.seed,
    startTime: FIRST_OPEN,
    journal,
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
  });
  engine.construct();
  engine.start(FIRST_OPEN);
  for (const { event } of entries) engine.process(event);
  return { halts: engine.halts, refusals: engine.refusals, entries: journal.entries };
}

function flat(closes: readonly number[], volume = 1_000): CandleColumns {
  const prices = Float64Array.from(closes);
  return {
    openTime: Float64Array.from(closes, (_close, index) => FIRST_OPEN + index * HOUR_MS),
    open: prices,
    high: prices,
    low: prices,
    close: prices,
    volume: Float64Array.from(closes, () => volume),
  };
}
