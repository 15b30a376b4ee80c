import { describe, expect, it } from 'vitest';

import { formatFixed, parseFixed, type Fixed } from '../../../../src/domain/index.js';
import { FuturesLedger } from '../../../../src/simulator/futures/futures-ledger.js';
import type { LadderStep } from '../../../../src/simulator/futures/liquidation-ladder.js';
import {
  aContract,
  aTier,
  INVERSE,
  LINEAR,
  type ContractSetup,
} from '../../../support/futures-contracts.js';

const f = parseFixed;
const TIERS = [aTier('500', '0.01'), aTier('2000', '0.02'), aTier(undefined, '0.04')];
const ETH = aContract({ symbol: 'E-ETH-USDT' }).instrument.id;

/** Contracts of 1 BTC and 1 ETH at 100, money 1000. */
function aLedger(...setups: readonly ContractSetup[]): FuturesLedger {
  const contracts = (setups.length === 0 ? [{}] : setups).map((setup) =>
    aContract({ multiplier: '1', tiers: TIERS, maxFeeRate: '0.001', ...setup }),
  );
  const ledger = new FuturesLedger({
    contracts,
    balances: new Map(contracts.map(({ instrument: i }) => [i.marginAsset, f('1000')])),
  });
  for (const { instrument } of contracts) ledger.setMark(instrument.id, f('100'));
  return ledger;
}

function fill(
  direction: 'long' | 'short',
  contracts: string,
  price = '100',
): Parameters<FuturesLedger['open']>[1] {
  return { direction, contracts: f(contracts), price: f(price), feeRate: 0n };
}

/** Carries a step out at a price, as the venue would. */
function carryOut(ledger: FuturesLedger, step: LadderStep, price: Fixed): Fixed {
  const id = step.instrumentId;
  switch (step.kind) {
    case 'cancel-orders':
      ledger.startLiquidation(id, step.direction);
      return 0n;
    case 'release':
      ledger.endLiquidation(id, step.direction);
      return 0n;
    case 'net': {
      const { long, short } = ledger.net(id, step.contracts);
      return long.insurance + short.insurance;
    }
    case 'reduce':
    case 'close':
      return ledger.liquidate(id, { ...step, price }).insurance;
  }
}

/** The whole ladder of an asset in words, with the insurance that each step took. */
function ladder(ledger: FuturesLedger, asset: string, price: string): readonly string[] {
  const lines: string[] = [];
  for (let step = ledger.nextStep(asset); step !== undefined; step = ledger.nextStep(asset)) {
    if (lines.length === 20) throw new Error('expected the ladder to end');
    const side = 'direction' in step ? ` ${step.direction}` : '';
    const size = 'contracts' in step ? ` ${formatFixed(step.contracts)}` : '';
    const line = `${step.kind} ${step.instrumentId.slice(8)}${side}${size}`;
    const insurance = carryOut(ledger, step, f(price));
    lines.push(insurance > 0n ? `${line}, insurance ${formatFixed(insurance)}` : line);
  }
  return lines;
}

describe('an isolated position', () => {
  it('is liquidated when margin + realized + unrealized is at or below value × (keepRate + maxFeeRate)', () => {
    const ledger = aLedger();
    ledger.open(LINEAR, fill('long', '4'));

    // 40 + 4 × (p − 100) = 4 × p × 0.011 at p = 360 ÷ 3.956
    const price = f('91.001011122345803842');
    expect(ledger.position(LINEAR, 'long')?.liquidationPrice).toBe(price);
    ledger.setMark(LINEAR, price + 1n);
    expect(ledger.isLiquidatable(LINEAR, 'long')).toBe(false);
    ledger.setMark(LINEAR, price);
    expect(ledger.isLiquidatable(LINEAR, 'long')).toBe(true);
  });

  it('is reduced tier by tier while its money does not suffice, and closed in the first tier', () => {
    const ledger = aLedger();
    ledger.open(LINEAR, fill('long', '30'));
    ledger.setMark(LINEAR, f('91'));

    // 2730 is above 2000: keeps floor(2000 ÷ 91) = 21, then floor(500 ÷ 91) = 5, then none
    expect(ladder(ledger, 'USDT', '91')).toEqual([
      'cancel-orders E-BTC-USDT long',
      'reduce E-BTC-USDT long 9',
      'reduce E-BTC-USDT long 16',
      'close E-BTC-USDT long 5',
    ]);
    expect(ledger.held(LINEAR, 'long')).toBe(0n);
  });

  it('is reduced until its money suffices, and is frozen until then', () => {
    const ledger = aLedger();
    ledger.open(LINEAR, fill('long', '30'));
    ledger.setMark(LINEAR, f('93'));

    // 300 − 210 = 90 against 2790 × 0.041 = 114.39; with 21: 63 against 1953 × 0.021 = 41.013
    const cancel = ledger.nextStep('USDT');
    expect(cancel?.kind).toBe('cancel-orders');
    if (cancel !== undefined) carryOut(ledger, cancel, f('93'));
    expect(ledger.position(LINEAR, 'long')?.frozen).toBe('liquidation');
    expect(ladder(ledger, 'USDT', '93')).toEqual([
      'reduce E-BTC-USDT long 9',
      'release E-BTC-USDT long',
    ]);
    expect(ledger.position(LINEAR, 'long')?.frozen).toBe('no');
  });

  it('is first netted at the mark against its own opposite position', () => {
    const ledger = aLedger();
    ledger.open(LINEAR, fill('long', '4'));
    ledger.open(LINEAR, fill('short', '3'));
    ledger.setMark(LINEAR, f('90'));

    expect(ladder(ledger, 'USDT', '90')).toEqual([
      'cancel-orders E-BTC-USDT long',
      'net E-BTC-USDT 3',
      'close E-BTC-USDT long 1, insurance 0.09',
    ]);
    // The long loses its whole margin of 40, the short earns 30. The venue pays the fee of the forced close, 90 × 0.001.
    expect(formatFixed(ledger.balance('USDT'))).toBe('990');
  });

  it('loses no more than its margin: the venue pays the rest', () => {
    const ledger = aLedger();
    ledger.open(LINEAR, fill('long', '4'));
    ledger.setMark(LINEAR, f('89'));

    // Margin 40 − 4 × 20 − fee 4 × 80 × 0.001
    expect(ladder(ledger, 'USDT', '80').at(-1)).toBe('close E-BTC-USDT long 4, insurance 40.32');
    expect(formatFixed(ledger.balance('USDT'))).toBe('960');
    expect(ledger.residual('USDT')).toBe(0n);
  });

  it('pays a loss beyond its margin from the balance when its own order closes it', () => {
    const ledger = aLedger();
    ledger.open(LINEAR, fill('long', '4'));

    expect(formatFixed(ledger.close(LINEAR, fill('long', '4', '80')).released)).toBe('-40');
    expect(formatFixed(ledger.available('USDT'))).toBe('920');
  });
});

describe('cross positions', () => {
  const cross = { marginMode: 'cross', leverage: '50' } as const;

  it('are liquidated when the equity is at or below Σ value × (keepRate + maxFeeRate)', () => {
    const ledger = aLedger({ ...cross, tiers: [aTier(undefined, '0.049')] });
    ledger.open(LINEAR, fill('long', '100', '109'));

    // 1000 + 100 × (p − 109) = 100 × p × 0.05 at p = 9900 ÷ 95
    ledger.setMark(LINEAR, f('104.210526315789473685'));
    expect(ledger.isLiquidatable(LINEAR, 'long')).toBe(false);
    ledger.setMark(LINEAR, f('104.210526315789473684'));
    expect(ledger.isLiquidatable(LINEAR, 'long')).toBe(true);
    // Equity equals the sum: 1000 − 500 = 500 = 100 × 100 × 0.05
    ledger.close(LINEAR, fill('long', '100', '109'));
    ledger.open(LINEAR, fill('long', '100', '105'));
    ledger.setMark(LINEAR, f('100'));
    expect(ledger.nextStep('USDT')?.kind).toBe('cancel-orders');
    expect(ledger.isLiquidatable(LINEAR, 'long')).toBe(true);
    ledger.setMark(LINEAR, f('100.000000000000000001'));
    expect(ledger.isLiquidatable(LINEAR, 'long')).toBe(false);
    expect(ledger.nextStep('USDT')).toBeUndefined();
  });

  it('are liquidated in the order of the contracts if their losses are equal', () => {
    const ledger = aLedger(cross, { ...cross, symbol: 'E-ETH-USDT' });
    ledger.open(ETH, fill('long', '50'));
    ledger.open(LINEAR, fill('long', '50'));
    ledger.setMark(LINEAR, f('92'));
    ledger.setMark(ETH, f('92'));

    expect(ledger.nextStep('USDT')).toMatchObject({ instrumentId: LINEAR });
  });

  it('are reduced with the largest loss first, until the account suffices', () => {
    const ledger = aLedger(cross, { ...cross, symbol: 'E-ETH-USDT' });
    ledger.open(LINEAR, fill('long', '50'));
    ledger.open(ETH, fill('long', '60'));
    ledger.setMark(LINEAR, f('91'));
    ledger.setMark(ETH, f('95'));

    // 1000 − 450 − 300 = 250 against (4550 + 5700) × 0.041 = 420.25; BTC lost most, keeps floor(2000 ÷ 91) = 21: then 250 less a fee
    // against 1911 × 0.021 + 5700 × 0.041 = 273.8; ETH has lost more by then, keeps floor(2000 ÷ 95) = 21
    expect(ladder(ledger, 'USDT', '91')).toEqual([
      'cancel-orders E-BTC-USDT long',
      'reduce E-BTC-USDT long 29',
      'cancel-orders E-ETH-USDT long',
      'reduce E-ETH-USDT long 39',
      'release E-BTC-USDT long',
      'release E-ETH-USDT long',
    ]);
  });

  it('share one account: the venue pays what is missing after the last cross close', () => {
    const ledger = aLedger(cross);
    ledger.open(LINEAR, fill('long', '90'));
    ledger.setMark(LINEAR, f('88'));

    const lines = ladder(ledger, 'USDT', '88');

    // Lost 90 × 12 = 1080 of 1000, and 90 × 88 × 0.001 of fees
    expect(lines.at(-1)).toBe('close E-BTC-USDT long 5, insurance 87.92');
    expect(formatFixed(ledger.balance('USDT'))).toBe('0');
  });

  it('do not affect isolated positions of the same asset', () => {
    const ledger = aLedger(cross, { symbol: 'E-ETH-USDT' });
    ledger.open(LINEAR, fill('long', '80'));
    ledger.open(ETH, fill('long', '4'));
    ledger.setMark(LINEAR, f('85'));

    expect(ladder(ledger, 'USDT', '85').some((line) => line.includes('ETH'))).toBe(false);
    expect(formatFixed(ledger.balance('USDT'))).toBe('40');
    expect(formatFixed(ledger.position(ETH, 'long')?.margin ?? 0n)).toBe('40');
  });
});

describe('the liquidation ladder of an inverse contract', () => {
  it('keeps floor(maximum × mark ÷ face) contracts', () => {
    const ledger = aLedger({ contract: 'inverse', multiplier: '100' });
    ledger.open(INVERSE, fill('long', '1000'));
    ledger.setMark(INVERSE, f('92.5'));

    // 1000 × 100 ÷ 92.5 = 1081 BTC is in the tier up to 2000, which keeps floor(500 × 92.5 ÷ 100) = 462
    expect(ladder(ledger, 'BTC', '92.5')).toEqual([
      'cancel-orders E-BTC-USD long',
      'reduce E-BTC-USD long 538',
      'release E-BTC-USD long',
    ]);
  });
});

describe('the liquidation price', () => {
  const priceOf = (
    contracts: string,
    direction: 'long' | 'short',
    mark: string,
    setup: ContractSetup = {},
  ): string => {
    const ledger = aLedger(setup);
    ledger.open(LINEAR, fill(direction, contracts));
    ledger.setMark(LINEAR, f(mark));
    const price = ledger.position(LINEAR, direction)?.liquidationPrice;
    return price === undefined ? 'none' : formatFixed(price);
  };

  it('uses the tier of the value at that price, not the current tier', () => {
    // At 100, 21 contracts are worth 2100, above 2000. At the liquidation price they are worth less: (2100 − 210) ÷ (21 × 0.979)
    expect(priceOf('21', 'long', '100')).toBe('91.930541368743615935');
    // As the price rises, the tier changes at 2000 ÷ 19: (1900 + 190) ÷ (19 × 1.041)
    expect(priceOf('19', 'short', '100')).toBe('105.667627281460134486');
  });

  it('is the border of a tier if the next tier requires more than the money there', () => {
    // 4.99 BTC short at 60x: at a value of 500 the money is 499 ÷ 60 − 1 = 7.31667. The tiers require 5.5 up to 500 and 10.5 above. 500 ÷ 4.99
    expect(priceOf('499', 'short', '100', { leverage: '60', multiplier: '0.01' })).toBe(
      '100.200400801603206413',
    );
  });

  it('does not exist if the margin covers the whole value', () => {
    expect(priceOf('4', 'long', '100', { leverage: '1' })).toBe('none');
  });
});
