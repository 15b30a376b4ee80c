import { createEngine } from '../../src/assembly/create-engine.js';
import { type BacktestConfig, readTerms } from '../../src/assembly/index.js';
import { PaperVenue } from '../../src/assembly/bot/paper-venue.js';
import {
  closeTimeOf,
  fixedFromNumber,
  nominalIntervalMs,
  type Candle,
  type CandleSeries,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../../src/domain/index.js';
import type {
  Command,
  Engine,
  EngineEvent,
  JournalEntry,
  PriceSample,
} from '../../src/engine/index.js';
import type { StrategyClass } from '../../src/strategy/index.js';
import { isOrderUpdate, type OrderUpdate, type VenueUpdate } from '../../src/venue/index.js';
import { createMemoryArchive } from './memory-archive.js';

/** An input read from a market. */
export type PaperInput = { readonly time: EpochMs } & (
  | { readonly kind: 'price'; readonly instrumentId: InstrumentId; readonly last: Fixed }
  | { readonly kind: 'marks'; readonly marks: readonly PriceSample[] }
  | { readonly kind: 'candles'; readonly candles: readonly Candle[] }
  | {
      readonly kind: 'funding';
      readonly instrumentId: InstrumentId;
      readonly rate: Fixed;
      readonly markPrice: Fixed;
    }
);

/** Polls within a candle: the time as a part of its length, and the price of the candle that the poll sees. */
const POLLS = [
  [0.02, 'open'],
  [0.3, 'low'],
  [0.31, 'low'],
  [0.5, 'low'],
  [0.71, 'high'],
] as const;
/** Part of that price's distance from the open that a poll sees: polls miss the extremes. */
const SEEN = 0.7;

/** The inputs of a bot that polls: some prices within each candle, without its extremes, then the candle; marks on request. */
export function inputsOf(
  series: readonly CandleSeries[],
  { lateMs = 150, marks = false } = {},
): readonly PaperInput[] {
  const inputs: PaperInput[] = [];
  const slices = new Map<EpochMs, Candle[]>();
  for (const { instrumentId, interval, columns } of longestFirst(series)) {
    for (let row = 0; row < columns.openTime.length; row += 1) {
      const read = (name: keyof typeof columns): number => columns[name][row] as number;
      const openTime = read('openTime');
      const closeTime = closeTimeOf(openTime, interval);
      const [open, high, low, close] = [read('open'), read('high'), read('low'), read('close')];
      const volume = read('volume');
      const candle = {
        instrumentId,
        interval,
        openTime,
        closeTime,
        open,
        high,
        low,
        close,
        volume,
      };
      slices.set(closeTime, [...(slices.get(closeTime) ?? []), candle]);
      if (interval !== '1min') continue;
      for (const [part, name] of POLLS) {
        const seen = open + (candle[name] - open) * SEEN;
        inputs.push({
          kind: 'price',
          time: openTime + Math.round(part * nominalIntervalMs(interval)),
          instrumentId,
          last: fixedFromNumber(Math.round(seen * 100) / 100, 2),
        });
      }
    }
  }
  for (const [closeTime, candles] of slices) {
    const time = closeTime + lateMs;
    if (marks)
      inputs.push({
        kind: 'marks',
        time,
        marks: candles
          .filter(({ interval }) => interval === '1min')
          .map(({ instrumentId, close, low }) => ({ instrumentId, price: (close + low) / 2 })),
      });
    inputs.push({ kind: 'candles', time, candles });
  }
  return inputs.sort((a, b) => a.time - b.time);
}

/** Longest interval first within a slice. */
function longestFirst(series: readonly CandleSeries[]): readonly CandleSeries[] {
  return series.toSorted((a, b) => nominalIntervalMs(b.interval) - nominalIntervalMs(a.interval));
}

/** Returns a function that makes rigs of one bot. Each rig starts from the beginning. */
export async function paperRigs(
  config: BacktestConfig,
  strategyClass: StrategyClass,
  inputs: readonly PaperInput[],
): Promise<() => PaperRig> {
  const terms = await readTerms(config, createMemoryArchive([]));
  return () => {
    const constructed = inputs[0]?.time ?? 0;
    const engine = createEngine({ config, strategyClass, terms, constructed });
    engine.construct();
    engine.start(constructed);
    return new PaperRig(engine, new PaperVenue(config, terms), inputs);
  };
}

/** An engine and its simulated venue. It takes one event at a time, as in a session. The next event depends only on the events taken before. */
export class PaperRig {
  readonly engine: Engine;
  readonly orderManager: PaperVenue;
  readonly entries: JournalEntry[] = [];
  /** For each entry: number of inputs read until then, its own included. */
  readonly read: number[] = [];
  readonly #inputs: readonly PaperInput[];
  readonly #told: VenueUpdate[] = [];
  #next = 0;
  #clock: EpochMs = Number.NEGATIVE_INFINITY;
  #isOpened = false;
  readonly #last = new Map<InstrumentId, Fixed>();
  /** Whether unchanged prices are skipped while no stop and no order waits for a price, as in a session. */
  skipsSame = false;
  /** Whether the answer of an update is lost at first: the engine gets an unknown outcome, then the update. @defaultValue never */
  loses: (update: OrderUpdate) => boolean = () => false;
  /** Number of lost answers. */
  lost = 0;
  #lost: VenueUpdate | undefined;

  constructor(engine: Engine, orderManager: PaperVenue, inputs: readonly PaperInput[]) {
    this.engine = engine;
    this.orderManager = orderManager;
    this.#inputs = inputs;
  }

  /** Repeats the entries of a killed rig. Inputs that were read but not taken are read again. */
  restore(entries: readonly JournalEntry[], read: readonly number[]): void {
    for (const [index, { event, commands }] of entries.entries()) {
      const again = [...this.engine.process(event)];
      if (JSON.stringify(again, exact) !== JSON.stringify(commands, exact))
        throw new Error(`entry ${String(index)}: the engine wants something else`);
      const difference = this.orderManager.take(event, commands);
      if (difference !== undefined)
        throw new Error(`entry ${String(index)}: ${difference.expected} | ${difference.received}`);
      this.#keep(event, again, read[index] ?? 0);
    }
  }

  /** Runs to the end of the inputs. */
  finish(): this {
    while (this.step());
    return this;
  }

  /** Takes one event. Returns whether there was one. */
  step(): boolean {
    for (;;) {
      this.#told.push(...this.orderManager.news(this.#clock));
      const update = this.#told.shift();
      if (update !== undefined) {
        if (this.#loses(update)) return this.#lose(update);
        return this.#take({ kind: 'venue', time: this.#clock, update });
      }
      const input = this.#inputs[this.#next];
      if (input === undefined) return false;
      const { orderManager, engine } = this;
      const due = Math.min(orderManager.nextNews(), orderManager.nextDue(), engine.nextTimer());
      if (due < input.time) {
        this.#clock = Math.max(this.#clock, due);
        if (orderManager.nextNews() > this.#clock)
          return this.#take({ kind: 'timer', time: this.#clock });
        continue;
      }
      const event = this.#read(input);
      if (event !== undefined) return this.#take(event);
    }
  }

  #read(input: PaperInput): EngineEvent | undefined {
    if (input.kind === 'candles' && this.engine.isWarm && !this.#isOpened)
      return { kind: 'opening', time: this.engine.now(), prices: [] };
    const time = Math.max(input.time, this.engine.now());
    this.#clock = time;
    this.#next += 1;
    switch (input.kind) {
      case 'price':
        if (this.skipsSame && !this.#isWanted(input.instrumentId, input.last)) return undefined;
        return { kind: 'ticker', time, instrumentId: input.instrumentId, last: input.last };
      case 'marks':
        return { kind: 'marks', time, marks: input.marks };
      case 'candles':
        return { kind: 'candles', time, candles: input.candles };
      case 'funding': {
        const { instrumentId } = input;
        if (this.orderManager.fundingsDue(instrumentId, time) === 0) return undefined;
        return {
          kind: 'venue',
          time,
          update: this.orderManager.settleFunding(instrumentId, input, time),
        };
      }
    }
  }

  #isWanted(instrumentId: InstrumentId, last: Fixed): boolean {
    const isSame = this.#last.get(instrumentId) === last;
    this.#last.set(instrumentId, last);
    const isWatched = this.engine
      .stopWatches()
      .some((watch) => watch.instrumentId === instrumentId);
    return !isSame || isWatched || this.orderManager.awaitsPrice(instrumentId);
  }

  #loses(update: VenueUpdate): update is OrderUpdate {
    return update !== this.#lost && isOrderUpdate(update) && this.loses(update);
  }

  #lose(update: OrderUpdate): true {
    this.#lost = update;
    this.lost += 1;
    this.#told.unshift(update);
    const [time, eventTime] = [this.#clock, update.eventTime];
    const { clientOrderId } = update;
    const reason = { code: '-1006', text: 'the answer was lost' };
    const unknown = { kind: 'outcome-unknown', clientOrderId, reason, eventTime } as const;
    const commands = [...this.engine.process({ kind: 'venue', time, update: unknown })];
    // The unknown outcome does not come from the venue. For the venue only time passes.
    this.orderManager.take({ kind: 'timer', time }, commands);
    return true;
  }

  #take(event: EngineEvent): true {
    const commands = [...this.engine.process(event)];
    const difference = this.orderManager.take(event, commands);
    if (difference !== undefined)
      throw new Error(`${difference.expected} | ${difference.received}`);
    this.#keep(event, commands, this.#next);
    return true;
  }

  #keep(event: EngineEvent, commands: readonly Command[], read: number): void {
    if (event.kind === 'opening') this.#isOpened = true;
    this.#clock = Math.max(this.#clock, event.time);
    this.#next = read;
    this.entries.push({ event, commands });
    this.read.push(read);
  }
}

const exact = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${String(value)}n` : value;
