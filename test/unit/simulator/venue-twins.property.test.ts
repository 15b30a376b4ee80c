import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';

import { MINUTE_MS } from '../../../src/domain/index.js';
import { venueCandles } from '../../support/arbitraries/venue-scripts.js';
import { contractTerms, createContractTwins } from '../../support/venue-laws/contract-twins.js';
import { aMarginPair } from '../../support/margin-venue.js';
import {
  createMarginTwins,
  createSpotTwins,
  loanTerms,
  pairTerms,
} from '../../support/venue-laws/pair-twins.js';
import { sequenceRuns } from '../../support/runs.js';
import { BTC_USDT, type VenueCandle } from '../../support/spot-venue.js';
import {
  CONTRACT_STEPS,
  ENTRIES,
  PAIR_STEPS,
  type Entry,
} from '../../support/venue-laws/venue-steps.js';
import {
  contractState,
  pairStates,
  twinCoverage,
  VenueTwins,
  type TwinMarket,
  type TwinProduct,
} from '../../support/venue-laws/venue-twins.js';

/** Number of sequences per product. Contracts get more: they have more kinds of events, and MARKET cannot open inverse contracts. */
const RUNS = {
  spot: 0.1 * sequenceRuns(),
  margin: 0.15 * sequenceRuns(),
  linear: 0.35 * sequenceRuns(),
  inverse: 0.4 * sequenceRuns(),
};
/** Thousands of sequences take minutes, and many more on a busy machine. */
const PATIENCE_MS = 3_000_000;
/** Minute after midnight at which the candles of the margin test begin, so that hourly interest is due inside them. */
const BEFORE_THE_HOUR = 57;

const candles = venueCandles({ minLength: 3, maxLength: 8 });
/** From candle `at` on, all prices are `ticks` higher, or lower if it is negative. */
const jump = fc.record({
  at: fc.integer({ min: 1, max: 5 }),
  ticks: fc.constantFrom(0, 0, 0, -100, 150, -200, 250, -900, 1_000, -9_500, 30_000),
  /** Used instead of `ticks`: percent of `bearable`. Most values end the position or the loan, but do not go far beyond. */
  share: fc.option(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 35, max: 95 }) },
      { weight: 1, arbitrary: fc.integer({ min: -130, max: 130 }) },
    ),
    { nil: undefined, freq: 3 },
  ),
});

/** The largest fall, in ticks, that leaves prices above 0. */
const LOWEST_JUMP = -9_500;

interface Leap {
  readonly at: number;
  readonly ticks: number;
}

/**
 * A jump against the first entry if there is a share, otherwise the drawn ticks.
 *
 * @param bearable share of its price that the first entry may lose before its money is gone.
 */
function leapOf(
  { at, ticks, share }: Leap & { readonly share?: number | undefined },
  bearable: number,
  [first]: readonly Entry[],
): Leap {
  if (share === undefined) return { at, ticks };
  const away = Math.round((9_900 * bearable * share) / 100);
  return { at, ticks: Math.max(LOWEST_JUMP, first?.side === 'buy' ? -away : away) };
}

function jumped(
  rows: readonly VenueCandle[],
  { at, ticks }: Leap,
  from = 0,
): readonly VenueCandle[] {
  return rows.map((row, index) => {
    const [open, high, low, close] = row.path.map((price) =>
      index < at ? price : Math.round(price * 100 + ticks) / 100,
    );
    const path = [open ?? 0, high ?? 0, low ?? 0, close ?? 0] as const;
    return { ...row, minute: (row.minute ?? 0) + from, path };
  });
}

type TwinCommand = fc.Command<Record<string, never>, TwinMarket>;

function lead(
  entries: readonly TwinCommand[],
  commands: Iterable<TwinCommand>,
  real: TwinMarket,
): void {
  function* all(): Generator<TwinCommand, void, undefined> {
    yield* entries;
    yield* commands;
  }
  fc.modelRun(() => ({ model: {}, real }), all());
}

const steps = (
  kinds: typeof PAIR_STEPS,
): ReturnType<typeof fc.commands<Record<string, never>, TwinMarket>> =>
  fc.commands(kinds, { maxCommands: 40, size: 'max' });

describe('the simulated venue equals a naive venue to the last decimal after every step', () => {
  it(
    'on spot',
    () => {
      fc.assert(
        fc.property(candles, jump, pairTerms, steps(PAIR_STEPS), (rows, leap, setup, commands) => {
          const { observed, naive, purse } = createSpotTwins(jumped(rows, leap), setup);
          const twins = new VenueTwins({
            product: 'spot',
            real: observed,
            naive,
            states: () => pairStates(observed.venue, purse),
            residuals: () => [],
            ladder: [],
            from: 0,
          });
          lead([], commands, { twins, instrument: BTC_USDT, jump: leap.ticks });
        }),
        { numRuns: RUNS.spot },
      );
    },
    PATIENCE_MS,
  );

  it(
    'on margin, with interest and margin calls',
    () => {
      fc.assert(
        fc.property(
          candles,
          jump,
          pairTerms,
          loanTerms,
          ENTRIES,
          steps(PAIR_STEPS),
          (rows, jumpTo, setup, loan, entries, commands) => {
            const leverage = Number(loan.leverage);
            // Twice the fall after which assets are 1.1 times the debt.
            const bearable = 2 * Math.max(0, 1 - (1.1 * (leverage - 1)) / leverage);
            const leap = leapOf(jumpTo, bearable, entries);
            const own = jumped(rows, leap, BEFORE_THE_HOUR);
            const { observed, naive, purse } = createMarginTwins(own, setup, loan);
            const twins = new VenueTwins({
              product: 'margin',
              real: observed,
              naive,
              states: () => pairStates(observed.venue, purse),
              residuals: () => [
                ...(observed.venue.accounts.margin?.ledger.residual().values() ?? []),
              ],
              ladder: [],
              from: BEFORE_THE_HOUR * MINUTE_MS,
            });
            lead(entries, commands, {
              twins,
              instrument: aMarginPair(loan.leverage),
              jump: leap.ticks,
            });
          },
        ),
        { numRuns: RUNS.margin },
      );
    },
    PATIENCE_MS,
  );

  it.each([
    ['linear', false],
    ['inverse', true],
  ] as const)(
    'on %s contracts, with funding, triggers and liquidation',
    (product, isInverse) => {
      fc.assert(
        fc.property(
          candles,
          jump,
          contractTerms,
          ENTRIES,
          steps(CONTRACT_STEPS),
          (rows, jumpTo, setup, entries, commands) => {
            const leap = leapOf(jumpTo, 1 / Number(setup.leverage), entries);
            const { instrument, observed, naive } = createContractTwins(jumped(rows, leap), {
              ...setup,
              isInverse,
            });
            const { id, marginAsset: asset } = instrument;
            const twins = new VenueTwins({
              product,
              real: observed,
              naive,
              states: () => {
                observed.venue.markPositions(twins.time);
                return [contractState(observed.venue, { asset, id }), naive.state()];
              },
              residuals: () => [observed.venue.accounts.futures?.ledger.residual(asset) ?? 0n],
              ladder: naive.ladder,
              from: 0,
            });
            lead(entries, commands, { twins, instrument, jump: leap.ticks });
          },
        ),
        { numRuns: RUNS[product] },
      );
    },
    PATIENCE_MS,
  );

  it('was tested with every kind of order, trigger and liquidation step', () => {
    const missing = LABELS.filter((label) => (twinCoverage.get(label) ?? 0) < LEAST);

    expect(missing).toEqual([]);
  });

  afterAll(() => {
    if (!IS_LONG) return;
    const lines = [...twinCoverage]
      .toSorted()
      .map(([label, times]) => `${label}: ${String(times)}`);
    process.stdout.write(`${lines.join('\n')}\n`);
  });
});

const IS_LONG = sequenceRuns() >= 10_000;
/** How often the run has to meet each label. */
const LEAST = IS_LONG ? 100 : 1;
const ORDERS = ['MARKET', 'LIMIT GTC', 'LIMIT IOC', 'LIMIT FOK', 'LIMIT POST_ONLY'];
const TRIGGERS = ['stop-loss', 'take-profit', 'chase-up', 'chase-down'].map(
  (kind) => `fired ${kind}`,
);
const LADDER = ['cancel-orders', 'net', 'reduce', 'close', 'release'].map(
  (step) => `ladder ${step}`,
);
const CONTRACT = [...ORDERS, ...TRIGGERS, ...LADDER, 'funding'];
const EVERY_LABEL: Readonly<Record<TwinProduct, readonly string[]>> = {
  spot: ORDERS,
  margin: [...ORDERS, 'margin-warning', 'forced-fill', 'interest'],
  linear: CONTRACT,
  inverse: CONTRACT,
};
/** A few hundred sequences do not reach every step of the ladder. Only the long run has to. */
const LABELS = Object.entries<readonly string[]>(
  IS_LONG ? EVERY_LABEL : { spot: ORDERS, linear: [...ORDERS, ...TRIGGERS] },
).flatMap(([product, labels]) => labels.map((label) => `${product} ${label}`));
