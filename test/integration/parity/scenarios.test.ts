import type { Candle } from 'evenkeel';
import { describe, expect, it } from 'vitest';

import { DAY_MS } from '../../../src/domain/index.js';
import type { Command, Journal } from '../../../src/engine/index.js';
import { openArchive } from '../../../src/archive/index.js';
import { CoinHedge } from '../../../strategies/coin-hedge/coin-hedge.strategy.js';
import { Quoter } from '../../../strategies/quoter/quoter.strategy.js';
import { runConfig, type ParityCase } from '../../support/parity/run-config.js';
import { loadScenario, playScenario, scenarioNames } from '../../support/scenario.js';

/**
 * `EVENKEEL_LONG=1`: every scenario with every kind of triggers. Otherwise only the cases that no other test of parity has: triggers for contracts whose examples
 * have no stops, and margin.
 */
const IS_LONG = process.env['EVENKEEL_LONG'] === '1';
const PATIENCE = { timeout: IS_LONG ? 1_200_000 : 120_000 };

const KINDS = ['off', 'family', 'disaster'] as const;
type Kind = (typeof KINDS)[number];

/** Trigger levels near enough for some triggers to fire. */
const TERMS: Readonly<Record<Kind, readonly string[]>> = {
  off: ['live.venueStops=off'],
  family: ['live.venueStops=family'],
  disaster: ['live.venueStops=disaster', 'live.disasterDistance="0.01"', 'live.orphans=accept'],
};

/** The example with a trailing stop and a target. The example itself has neither. */
class GuardedHedge extends CoinHedge {
  override onCandle(candle: Candle): void {
    super.onCandle(candle);
    const { symbol } = this.instrument();
    if (this.positionOf(symbol, 'short').quantity.isZero()) return;
    const guard = { trailingStop: { ratio: '0.008' }, takeProfit: { ratio: '0.02' } };
    this.protect(guard, symbol, 'short');
  }
}

/** The example with a stop and a target for each side. The example itself has neither. */
class GuardedQuoter extends Quoter {
  override onCandle(candle: Candle): void {
    super.onCandle(candle);
    const { symbol } = this.instrument();
    for (const direction of ['long', 'short'] as const) {
      if (this.positionOf(symbol, direction).quantity.isZero()) continue;
      const guard = { stopLoss: { ratio: '0.006' }, takeProfit: { ratio: '0.012' } };
      this.protect(guard, symbol, direction);
    }
  }
}

type Range = Pick<ParityCase, 'from' | 'to' | 'set' | 'strategyClass'>;

/** Every scenario of contracts, with a range in which positions are opened, guarded and closed, also by stops. */
const CONTRACTS: Readonly<Record<string, Range>> = {
  'channel-flip': {
    to: '2025-05-07',
    set: ['strategy.parameters={ channelCandles: 5, rangeCandles: 5, stopRanges: 1, exposure: 1 }'],
  },
  'channel-flip-liquidated': {
    to: '2025-05-05',
    set: ['strategy.parameters={ channelCandles: 8, rangeCandles: 5, stopRanges: 2, exposure: 2 }'],
  },
  'coin-hedge': {
    to: '2025-05-08',
    set: ['strategy.parameters={ averageCandles: 12, marginRatio: 0.001, patience: 0.003 }'],
    strategyClass: GuardedHedge,
  },
  'coin-hedge-finer': {
    to: '2025-05-11',
    set: ['strategy.parameters={ averageCandles: 12, marginRatio: 0.001, patience: 0.003 }'],
    strategyClass: GuardedHedge,
  },
  quoter: { to: '2025-05-05', strategyClass: GuardedQuoter },
};
const OTHERS = scenarioNames().filter((name) => !(name in CONTRACTS));
const IN_SHORT: ReadonlySet<string> = new Set(['coin-hedge family', 'quoter family']);
const EACH = Object.keys(CONTRACTS)
  .flatMap((scenario) => KINDS.map((kind) => ({ scenario, kind })))
  .filter(({ scenario, kind }) => IS_LONG || IN_SHORT.has(`${scenario} ${kind}`));

const fileOf = (scenario: string): string => `backtest/scenarios/${scenario}.yaml`;

/** Days of a scenario without triggers. */
const DAYS = 45;
/** Later starts, so that backtest and live begin warm. These scenarios have too few candles before their range. */
const LATER: Readonly<Record<string, string>> = {
  rotation: '2024-07-12',
  'rotation-instant': '2024-07-12',
};

/** Counts the triggers that were sent. */
function counting(): { readonly journal: Journal; readonly sent: () => number } {
  let sent = 0;
  const append = (_event: unknown, commands: readonly Command[]): void => {
    sent += commands.filter((each) => each.kind === 'submit' && isOfTrigger(each)).length;
  };
  return { journal: { append }, sent: () => sent };
}

describe('parity of the scenarios', () => {
  it.each(EACH)('$scenario with live.venueStops: $kind', PATIENCE, async ({ scenario, kind }) => {
    const { set = [], ...range } = CONTRACTS[scenario] ?? { to: '' };
    const { journal, sent } = counting();
    const { report, disagreements } = await runConfig({
      ...range,
      journal,
      config: fileOf(scenario),
      set: [...set, ...TERMS[kind]],
    });

    expect(report.difference).toBeUndefined();
    expect(disagreements).toEqual([]);
    expect(report.counts.fills).toBeGreaterThanOrEqual(10);
    if (kind === 'off') expect(sent()).toBe(0);
    else expect(sent()).toBeGreaterThan(5);
  });

  it.runIf(IS_LONG).each(OTHERS)('%s', PATIENCE, async (name) => {
    const { config } = await loadScenario(name);
    const { report, disagreements } = await runConfig({
      config: fileOf(name),
      ...(LATER[name] && { from: LATER[name] }),
      to: new Date((config.simulation.from ?? 0) + DAYS * DAY_MS).toISOString(),
    });

    expect(report.difference).toBeUndefined();
    expect(disagreements).toEqual([]);
    expect(report.counts.fills).toBeGreaterThan(0);
  });

  // The interface has no triggers for pairs and margin, so this kind of parity does not apply to them.
  it.runIf(IS_LONG).each(OTHERS)(
    '%s sends no trigger with any live.venueStops',
    PATIENCE,
    async (name) => {
      const { config, ...scenario } = await loadScenario(name);
      const { from = 0 } = config.simulation;
      const simulation = { ...config.simulation, to: from + DAYS * DAY_MS };
      const archive = openArchive(simulation.archive);
      const played: Command[][] = [];
      for (const venueStops of KINDS) {
        const sent: Command[] = [];
        const journal: Journal = { append: (_, commands) => void sent.push(...commands) };
        const live = { ...config.live, venueStops };
        await playScenario({ ...scenario, config: { ...config, simulation, live } }, archive, {
          journal,
        });
        played.push(sent);
      }

      const [off = [], family, disaster] = played;
      expect(off.length).toBeGreaterThan(0);
      expect(off.filter(isOfTrigger)).toEqual([]);
      expect(family).toEqual(off);
      expect(disaster).toEqual(off);
    },
  );

  it('with triggers are exactly those with contracts', async () => {
    const scenarios = await Promise.all(scenarioNames().map(loadScenario));
    const isOfContracts = ({ config }: (typeof scenarios)[number]): boolean =>
      config.instruments.some(({ kind }) => kind === 'futures');

    expect(scenarios.filter(isOfContracts).map(({ name }) => name)).toEqual(Object.keys(CONTRACTS));
  });
});

describe('parity of margin', () => {
  it.each([
    { what: 'as its file says', set: [] },
    { what: 'as much as it may borrow', set: ['strategy.parameters.exposure=2.9'] },
  ])('margin-swing with live.blindMargin, $what', PATIENCE, async ({ set }) => {
    const { report, disagreements } = await runConfig({
      config: fileOf('margin-swing'),
      to: IS_LONG ? '2025-07-01' : '2025-05-15',
      set: [...set, 'live.blindMargin=true'],
    });

    expect(report.difference).toBeUndefined();
    expect(disagreements).toEqual([]);
    expect(report.counts.fills).toBeGreaterThanOrEqual(5);
  });
});

function isOfTrigger(command: Command): boolean {
  return command.kind === 'submit' ? command.condition !== undefined : command.isCondition === true;
}
