import { setImmediate as nextTurn } from 'node:timers/promises';

import fc from 'fast-check';

import { runParity, type ParityOptions, type ParityOutcome } from '../../../src/assembly/index.js';
import { systemTime } from '../../../src/engine/system-time.js';
import {
  ConfigError,
  DataError,
  directionOf,
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  splitInstrumentId,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../../../src/domain/index.js';
import type { Journal } from '../../../src/engine/index.js';
import type { FaultRule } from '../../../src/local-exchange/index.js';
import { VenueRefusalError, type VenueUpdate } from '../../../src/venue/index.js';
import { createMemoryArchive } from '../memory-archive.js';
import { Mixed } from '../strategies/mixed-strategy.js';
import { randomReplays, type RandomReplay } from '../replays/random-replays.js';
import { RESTLESS_STRATEGIES } from '../strategies/restless-strategies.js';
import { endsNear } from '../replays/run-ends.js';
import { cornerTerms, inCorner } from './drawn-corners.js';
import { dearMarketTerms, marketTerms, toldMarket, type MarketTerms } from './drawn-market.js';

/** A run of any strategy that both sides of parity can do, to an end of any kind. */
export interface DrawnRun {
  readonly replay: RandomReplay;
  readonly market: MarketTerms;
  readonly to: EpochMs;
}

/** Longest data delay. If data came later than the next candle, the two sides would warm up with different candles. */
const LONGEST_DELAY_MS = 700;

/**
 * Runs on spot, on contracts, or on both. Longer candles are made from the finest, as an exchange does. Not margin, where a bot cannot read of margin calls
 * (docs/parity.md): see {@link drawnMarginRuns}.
 */
export function drawnRunsOf(
  replays: fc.Arbitrary<RandomReplay>,
  markets = marketTerms,
): fc.Arbitrary<DrawnRun> {
  return endedRuns(
    replays.filter(({ run }) => run.config.instruments.every(({ kind }) => kind !== 'margin')),
    markets,
  );
}

type LiveTerms = Partial<RandomReplay['run']['config']['live']>;

/** Which stops of contracts are at the venue; levels of wide ones are mostly near enough to be reached. */
const liveTerms: fc.Arbitrary<LiveTerms> = fc.record({
  venueStops: fc.constantFrom('off' as const, 'family' as const, 'disaster' as const),
  disasterDistance: fc.constantFrom(...['0.002', '0.01', '0.2'].map(parseFixed)),
  orphans: fc.constantFrom('refuse' as const, 'accept' as const),
});

function endedRuns(
  replays: fc.Arbitrary<RandomReplay>,
  markets = marketTerms,
): fc.Arbitrary<DrawnRun> {
  return fc.tuple(replays, liveTerms, markets).chain(([replay, live, market]) => {
    const run = asTold(withLive(replay.run, live), market);
    return fc.record({
      replay: fc
        .constantFrom(0, 0, -1, 1, 30_000)
        .map((offset) => ({ ...replay, run: startingLater(run, offset) })),
      market: fc.constant(market),
      to: endsNear(run.market),
    });
  });
}

export const drawnRuns = drawnRunsOf(randomReplays({ minLength: 20, maxLength: 70 }));

/**
 * Runs of strategies that move their orders with every event, decide by timers and other operators of time, or mix all ways to work an order; in the corners
 * that other runs leave out.
 */
export const restlessRuns = drawnRunsOf(
  fc
    .tuple(
      randomReplays({ minLength: 20, maxLength: 60 }, [...RESTLESS_STRATEGIES, Mixed, Mixed]),
      cornerTerms,
    )
    .map(([replay, terms]) => inCorner(replay, terms)),
  dearMarketTerms,
).filter(tellsForcedCloses);

/**
 * Whether an execution says who closed a position by force. Where takers pay the fee of a forced close, it does not say whether a trigger or the venue closed a
 * side whose margin was used up. It does not say either that the venue closed one, if the bot knows the mark only of minutes ago (docs/parity.md).
 */
export function tellsForcedCloses({ replay: { run }, market }: DrawnRun): boolean {
  const { live, simulation } = run.config;
  const hasNewMarks = market.marks === '1min' && market.missingMarks + market.lateMarks === 0;
  const takers = [simulation.fees, ...simulation.feeChanges].map(({ taker }) => taker);
  const isTold = !takers.includes(simulation.futures.maxFeeRate);
  return isTold || (live.venueStops === 'off' && hasNewMarks);
}

/** Runs on margin, where loans cost interest. Prices move by a few percent, so at this leverage nothing is called. */
export const drawnMarginRuns = endedRuns(
  randomReplays({ minLength: 40, maxLength: 130 }, undefined, ['margin', 'margin']).map(
    ({ run, ...replay }) => ({ ...replay, run: onLoans(run) }),
  ),
);

/** Without protections, because those refuse most of what would need a loan. */
function onLoans(run: RandomReplay['run']): RandomReplay['run'] {
  const { config } = run;
  const { instruments, risk, simulation } = config;
  return {
    ...run,
    config: {
      ...config,
      instruments: instruments.map((each) =>
        each.kind === 'margin' ? { ...each, leverage: parseFixed('2') } : each,
      ),
      risk: { ...risk, protections: {} },
      simulation: { ...simulation, margin: { hourlyRate: parseFixed('0.00007') } },
    },
  };
}

function withLive(run: RandomReplay['run'], terms: LiveTerms): RandomReplay['run'] {
  const { config } = run;
  return { ...run, config: { ...config, live: { ...config.live, ...terms } } };
}

/** Moves the start off the grid of its candles, if the run has a start. */
function startingLater(run: RandomReplay['run'], offset: number): RandomReplay['run'] {
  const { config } = run;
  const { simulation } = config;
  if (simulation.from === undefined) return run;
  return {
    ...run,
    config: { ...config, simulation: { ...simulation, from: simulation.from + offset } },
  };
}

function asTold(run: RandomReplay['run'], terms: MarketTerms): RandomReplay['run'] {
  const { config, rules } = run;
  const { simulation } = config;
  const dataDelayMs = Math.min(simulation.dataDelayMs, LONGEST_DELAY_MS);
  const market = toldMarket(run.market, terms);
  const opens = market.candles.map(({ columns }) => columns.openTime[0] ?? Infinity);
  const changes = [...rules.values()].flat().map(({ from }) => from);
  const firstChange = Math.min(...changes.filter((from) => from > 0));
  const change = Math.min(...opens) + terms.changesAfter * MINUTE_MS;
  return {
    ...run,
    rules: new Map(
      [...rules].map(([id, dated]) => [
        id,
        dated.map((each) =>
          each.from === 0 ? each : { ...each, from: change + each.from - firstChange },
        ),
      ]),
    ),
    config: {
      ...config,
      simulation: {
        ...simulation,
        dataDelayMs,
        feeChanges: simulation.feeChanges.map((each) => ({ ...each, from: change })),
        // A bot looks for funding at whole hours.
        futures: { ...simulation.futures, fundingIntervalMs: HOUR_MS },
      },
    },
    market,
  };
}

type Restarts = Partial<Pick<ParityOptions, 'begin' | 'interruptions'>>;

interface DrawnOutcome extends ParityOutcome {
  /** Time of the last event on which the live side sent commands. */
  readonly lastOrder: EpochMs | undefined;
  /** Number of forced fills that the live side received. */
  readonly forcedFills: number;
  /**
   * Whether the live side re-entered an isolated side before it learned of a forced close, and the venue closed that position too. Then its
   * books mix both positions.
   */
  readonly isMixed: boolean;
}

/** The parity of a drawn run; undefined if a live bot could not start with it. `kept` receives the events and commands of the live side. */
export async function parityOf(
  { replay, to }: DrawnRun,
  {
    faults,
    kept,
    ...restarts
  }: { readonly faults?: readonly FaultRule[]; readonly kept?: Journal } & Restarts = {},
): Promise<DrawnOutcome | undefined> {
  const { run, strategyClass } = replay;
  const { config, market, rules } = run;
  const archive = createMemoryArchive([...market.candles, ...market.finer], {
    ...market,
    rules,
    volumeUnit: (id) => (splitInstrumentId(id).kind === 'futures' ? 'contracts' : 'base'),
  });
  try {
    let lastOrder: EpochMs | undefined;
    const isolated = config.instruments.filter(
      (each) => each.kind === 'futures' && each.marginMode === 'isolated',
    );
    const forced = new ForcedWatch(new Set(isolated.map(({ instrumentId }) => instrumentId)));
    const journal: Journal = {
      append: (event, commands, intents) => {
        kept?.append(event, commands, intents);
        if (commands.length > 0) lastOrder = event.time;
        if (event.kind === 'venue') forced.note(event.update);
      },
    };
    const outcome = await runParity({
      config: { ...config, simulation: { ...config.simulation, to } },
      archive,
      strategyClass,
      sourceHash: 'drawn',
      breathe: () => nextTurn(),
      timers: systemTime,
      faults,
      journal,
      ...restarts,
    });
    return {
      ...outcome,
      lastOrder,
      forcedFills: forced.fills,
      isMixed: forced.isMixed,
    };
  } catch (error) {
    // No candle before its end, or not warm by then.
    if (error instanceof DataError || error instanceof ConfigError) return undefined;
    // A bot whose margin is a coin without a price does not start.
    if (restarts.begin !== undefined && error instanceof VenueRefusalError) return undefined;
    throw error;
  }
}

/** Follows the forced closes that a live side receives. Trade ids rise with time. */
class ForcedWatch {
  fills = 0;
  isMixed = false;
  readonly #isolated: ReadonlySet<InstrumentId>;
  /** State of each side, by instrument and direction. */
  readonly #sides = new Map<string, { held: Fixed; entered: number; isMixed: boolean }>();

  constructor(isolated: ReadonlySet<InstrumentId>) {
    this.#isolated = isolated;
  }

  note(update: VenueUpdate): void {
    if (update.kind !== 'fill' && update.kind !== 'forced-fill') return;
    const { instrumentId, venueTradeId, action, quantity } = update.fill;
    const key = `${instrumentId} ${directionOf(update.fill)}`;
    const side = this.#sides.get(key) ?? { held: 0n, entered: 0, isMixed: false };
    this.#sides.set(key, side);
    side.held += action === 'open' ? quantity : -quantity;
    const id = Number(venueTradeId);
    if (action === 'open') side.entered = id;
    if (update.kind === 'forced-fill') {
      this.fills += 1;
      if (side.isMixed) this.isMixed = true;
      side.isMixed ||= id < side.entered && this.#isolated.has(instrumentId);
    }
    if (side.held === 0n) side.isMixed = false;
  }
}
