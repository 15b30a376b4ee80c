import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import * as evenkeel from '../../../src/index.js';

const ENTRY_POINT = resolve(import.meta.dirname, '../../../src/index.ts');

/** Names that the entry point lists, types included; its exports are lists of names only. */
function listedNames(): readonly string[] {
  const lists = readFileSync(ENTRY_POINT, 'utf8').matchAll(/^export (type )?\{([^}]*)\} from/gm);
  return [...lists].flatMap(([, isType = '', names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => `${name.startsWith('type ') ? '' : isType}${name}`),
  );
}

// A name that is removed or renamed breaks every strategy that uses it: a Breaking change in the changelog.
describe('the public entry point', () => {
  it('exports these values', () => {
    expect(Object.keys(evenkeel).toSorted()).toEqual([
      'CandleStrategy',
      'Decimal',
      'Indicator',
      'Strategy',
      'adx',
      'atr',
      'bollinger',
      'bool',
      'cancel',
      'cci',
      'choice',
      'crossedAbove',
      'crossedBelow',
      'decimal',
      'decimalFromNumber',
      'donchian',
      'ema',
      'enterLong',
      'enterShort',
      'exit',
      'flatten',
      'highest',
      'int',
      'isFinalStatus',
      'kama',
      'lowest',
      'macd',
      'mfi',
      'number',
      'obv',
      'protect',
      'rebalance',
      'replace',
      'roc',
      'rsi',
      'sma',
      'standardDeviation',
      'stochastic',
      'supertrend',
      'target',
      'trueRange',
      'vwap',
      'wma',
    ]);
  });

  it('exports these types', () => {
    const types = listedNames()
      .filter((name) => name.startsWith('type '))
      .map((name) => name.slice('type '.length));

    expect(types.toSorted()).toEqual([
      'AccountEvent',
      'AnyIndicator',
      'Balance',
      'BollingerBands',
      'BookLevel',
      'BooleanParameter',
      'Bracket',
      'Candle',
      'CandleDrivenStrategy',
      'ChoiceParameter',
      'DecimalInput',
      'DepthReading',
      'Direction',
      'DirectionalMovement',
      'DonchianChannel',
      'EntryTerms',
      'EpochMs',
      'ExitTerms',
      'Fill',
      'FundingPayment',
      'Halt',
      'HaltReason',
      'IndexReading',
      'IndicatorLine',
      'IndicatorOptions',
      'InstrumentId',
      'InstrumentInfo',
      'InstrumentStreams',
      'IntParameter',
      'Interval',
      'Level',
      'Line',
      'Macd',
      'MacdOptions',
      'MarkPrice',
      'Market',
      'NumberParameter',
      'Order',
      'OrderHandle',
      'OrderIntent',
      'OrderReference',
      'OrderRequest',
      'OrderState',
      'ParameterDeclarations',
      'ParameterValues',
      'PlainIntent',
      'Position',
      'Price',
      'PriceSource',
      'ProductKind',
      'Protection',
      'Quantity',
      'RecentCandles',
      'RiskDecision',
      'RulesInForce',
      'Side',
      'Size',
      'Sizing',
      'SizingFacts',
      'StateShape',
      'Stochastic',
      'StochasticOptions',
      'StrategyContext',
      'StrategyLog',
      'StrategyMark',
      'StrategyRequirements',
      'StreamReference',
      'Supertrend',
      'TargetSize',
      'TargetTerms',
      'TickerReading',
      'TradePrint',
      'TradingStrategy',
      'VenueMargin',
      'Verdict',
      'Work',
    ]);
  });

  it('lists each name once, and exactly the exported values', () => {
    const names = listedNames().map((name) => name.replace('type ', ''));
    const values = listedNames().filter((name) => !name.startsWith('type '));

    expect(new Set(names).size).toBe(names.length);
    expect(values.toSorted()).toEqual(Object.keys(evenkeel).toSorted());
  });
});
