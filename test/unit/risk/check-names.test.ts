import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { parseFixed } from '../../../src/domain/index.js';
import {
  createGuards,
  listChecks,
  PROTECTION_CHECKS,
  VENUE_CHECKS,
} from '../../../src/risk/index.js';
import { aPolicy, LINEAR, contractRules, someRules, SPOT } from '../../support/risk/builders.js';
import { aView } from '../../support/risk/protections.js';

/** Names in the first column of a table whose cells are code. */
function documented(): readonly string[] {
  const text = readFileSync(new URL('../../../docs/risk.md', import.meta.url), 'utf8');
  return [...text.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, name]) => name ?? '');
}

describe('check names', () => {
  it('are documented in the order of the checks', () => {
    expect(documented()).toEqual([...VENUE_CHECKS, ...PROTECTION_CHECKS]);
  });

  it('are the names of the guards, in their order', () => {
    const one = parseFixed('1');
    const all = createGuards(
      {
        maxPositionQuantity: new Map([[SPOT.id, one]]),
        maxPositionNotional: one,
        maxOrderNotional: one,
        maxTotalNotional: one,
        maxAssetExposure: new Map([['BTC', one]]),
        maxNetExposure: one,
        maxLeverage: one,
        maxMarginUse: one,
        maxOpenPositions: 1,
        maxOpenOrders: 1,
        maxTotalOpenOrders: 1,
        priceBand: { last: one, mark: one },
        maxPriceAgeMs: 1,
        maxOrdersPerMinute: 1,
        maxOrdersPerDay: 1,
        minEntryIntervalMs: 1,
        cooldownAfterStopMs: 1,
        tradingHours: [{ days: [1, 2], from: 0, to: 1_440 }],
        fundingBlock: { beforeMs: 1, afterMs: 2 },
      },
      aView(),
    );

    expect(all.map(({ name }) => name)).toEqual(PROTECTION_CHECKS);
    expect(all.map(({ limit }) => limit)).toEqual([
      "the operator's command",
      "the operator's command",
      'all data fresh, all orders known',
      'Mon Tue 00:00-24:00',
      '1 ms before to 2 ms after funding',
      '1 ms',
      'last ± 1, mark ± 1',
      '1 ms after a stop',
      '1 ms after the last entry',
      '1 order in a minute',
      '1 order in a day',
      '1 open order of the instrument',
      '1 open order',
      '1 open position',
      '1 per order',
      'spot:BTCUSDT 1',
      '1 per position',
      'BTC 1 net',
      '1 net',
      '1 in total',
      '1 × equity',
      '1 × equity',
    ]);
  });
});

describe('listChecks', () => {
  const lines = (checks: ReturnType<typeof listChecks>): readonly string[] =>
    checks.map(({ name, limit }) => `${name}: ${limit}`);

  it('lists the limits of a full record in the order of the checks', () => {
    const rules = contractRules({
      maxLimitQuantity: '100',
      maxMarketQuantity: '50',
      maxMarketMoney: '20000',
      maxWorkingOrders: 10,
    });
    const guards = createGuards({ maxPositionNotional: parseFixed('5000') }, aView());

    expect(lines(listChecks(LINEAR, rules, aPolicy(), guards))).toEqual([
      'not-tradable: tradable',
      'min-order-quantity: 1 contract',
      'min-order-money: 5 USDT',
      'insufficient-balance: what is free, costs included',
      "halted: the operator's command",
      "reduce-only: the operator's command",
      'degraded: all data fresh, all orders known',
      'max-position-notional: 5000 per position',
      'max-order-quantity: LIMIT 100 contracts (entries refuse, exits split)',
      'max-order-quantity: MARKET 50 contracts (entries refuse, exits split)',
      'max-order-money: MARKET 20000 USDT (entries refuse, exits split)',
      'max-working-orders: 10',
    ]);
  });

  it('lists the leverage if tiers are known', () => {
    const policy = aPolicy({ tiers: () => [] });

    const listed = [LINEAR, SPOT].map((instrument) =>
      lines(listChecks(instrument, contractRules(), policy)).filter((each) =>
        each.startsWith('leverage'),
      ),
    );

    expect(listed).toEqual([['leverage-tier: 5 × as tiers allow'], []]);
  });

  it('leaves out limits that are not set', () => {
    expect(lines(listChecks(SPOT, someRules({ tradable: false }), aPolicy()))).toEqual([
      'not-tradable: not tradable',
      'min-order-quantity: 0.00001 BTC',
      'min-order-money: 5 USDT',
      'insufficient-balance: what is free, costs included',
    ]);
  });
});
