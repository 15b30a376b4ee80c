import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { replayBacktest, type BacktestConfig } from '../../../src/assembly/index.js';
import { FIXED_ONE, MINUTE_MS, type Refusal } from '../../../src/domain/index.js';
import { CandleStrategy, type Verdict } from '../../../src/strategy/index.js';
import { constantLatency } from '../../support/backtest-config.js';
import { aContractArchive, aContractConfig, CONTRACT_START } from '../../support/contract-run.js';

const FIVE_MINUTES = 5 * MINUTE_MS;
const NO_COSTS = {
  fees: { maker: 0n, taker: 0n, paidIn: 'quote' },
  latency: constantLatency(0),
} as const;

interface Case {
  readonly direction: 'long' | 'short';
  readonly marginMode: 'isolated' | 'cross';
  readonly leverage: number;
  readonly contracts: number;
  /** The stop price. The entry fills at 60,000. */
  readonly stop: string;
}

interface Outcome {
  readonly refusals: Refusal[];
  /** The mark at which the position is liquidated. */
  liquidation: string | undefined;
}

function configOf({ marginMode, leverage }: Case): BacktestConfig {
  const config = aContractConfig({ simulation: NO_COSTS });
  const instruments = config.instruments.map((one) =>
    one.kind === 'futures' ? { ...one, marginMode, leverage: BigInt(leverage) * FIXED_ONE } : one,
  );
  return { ...config, instruments };
}

/** Enters once at 60,000, with or without a stop; `late`: sets the stop when it holds the position. */
async function enter(terms: Case, how: 'with its stop' | 'naked' | 'late'): Promise<Outcome> {
  const outcome: Outcome = { refusals: [], liquidation: undefined };
  const protection = { stopLoss: { price: terms.stop } };
  class Enters extends CandleStrategy({}) {
    #count = 0;

    override onVerdict({ decision }: Verdict): void {
      if (decision.kind === 'refused') outcome.refusals.push(decision.refusal);
    }

    override onCandle(): void {
      this.#count += 1;
      const guard = how === 'with its stop' ? { protection } : {};
      const size = { quantity: String(terms.contracts) };
      if (this.#count === 1 && terms.direction === 'long') this.enterLong(size, guard);
      if (this.#count === 1 && terms.direction === 'short') this.enterShort(size, guard);
      if (this.#count === 2)
        outcome.liquidation = this.instrument().liquidationPrice(terms.direction)?.toFixed(18);
      if (this.#count === 2 && how === 'late') this.protect(protection);
    }
  }
  const price = 60_000;
  const rows = Array.from({ length: 4 }, (_, index) => ({
    time: CONTRACT_START + index * FIVE_MINUTES,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: 1_000_000,
  }));
  await replayBacktest({
    config: configOf(terms),
    archive: aContractArchive(rows),
    strategyClass: Enters,
    sourceHash: '',
  });
  return outcome;
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    direction: fc.constantFrom('long', 'short'),
    marginMode: fc.constantFrom('isolated', 'cross'),
    leverage: fc.integer({ min: 2, max: 50 }),
    contracts: fc.integer({ min: 1, max: 300 }),
    stop: fc.constant('60000'),
  })
  .chain((terms) =>
    fc.double({ min: 0.001, max: 0.6, noNaN: true }).map((away) => ({
      ...terms,
      stop: (60_000 * (terms.direction === 'long' ? 1 - away : 1 + away)).toFixed(2),
    })),
  );

describe('a stop beyond the price of liquidation', () => {
  it('is refused exactly if the position would be liquidated first, with the entry and later', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (terms) => {
        const { liquidation, refusals: none } = await enter(terms, 'naked');
        fc.pre(none.length === 0);
        const isBeyond =
          liquidation !== undefined &&
          (terms.direction === 'long'
            ? Number(terms.stop) <= Number(liquidation)
            : Number(terms.stop) >= Number(liquidation));

        const withStop = await enter(terms, 'with its stop');
        const late = await enter(terms, 'late');

        expect(withStop.refusals.map(({ check }) => check)).toEqual(
          isBeyond ? ['stop-beyond-liquidation'] : [],
        );
        expect(late.refusals.map(({ check }) => check)).toEqual(
          isBeyond ? ['invalid-protection'] : [],
        );
      }),
      { numRuns: 60 },
    );
  });

  it('is refused with both prices in the text', async () => {
    const terms = {
      direction: 'long',
      marginMode: 'isolated',
      leverage: 10,
      contracts: 10,
      stop: '54000',
    } as const;

    const withStop = await enter(terms, 'with its stop');
    const late = await enter(terms, 'late');

    expect(withStop.refusals.map(({ text }) => text)).toEqual([
      'its stop at 54000 USDT would never be reached: the position is liquidated at 54315.03; set a nearer stop, or less leverage or quantity',
    ]);
    expect(late.refusals.map(({ text }) => text)).toEqual([
      'stopLoss: expected a stop above 54315.03, where the position is liquidated, received 54000',
    ]);
  });
});
