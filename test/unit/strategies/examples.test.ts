import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  STRATEGY,
  type ParameterDeclaration,
  type StrategyClass,
} from '../../../src/strategy/index.js';
import { BracketedGrid } from '../../../strategies/bracketed-grid/bracketed-grid.strategy.js';
import { BreakoutTrail } from '../../../strategies/breakout-trail/breakout-trail.strategy.js';
import { ChannelFlip } from '../../../strategies/channel-flip/channel-flip.strategy.js';
import { CoinHedge } from '../../../strategies/coin-hedge/coin-hedge.strategy.js';
import { Chase } from '../../../strategies/chase/chase.strategy.js';
import { Grid } from '../../../strategies/grid/grid.strategy.js';
import { MarginSwing } from '../../../strategies/margin-swing/margin-swing.strategy.js';
import { Martingale } from '../../../strategies/martingale/martingale.strategy.js';
import { Quoter } from '../../../strategies/quoter/quoter.strategy.js';
import { Rotation } from '../../../strategies/rotation/rotation.strategy.js';
import { RsiMeanReversion } from '../../../strategies/rsi-mean-reversion/rsi-mean-reversion.strategy.js';
import { ScaleOut } from '../../../strategies/scale-out/scale-out.strategy.js';
import { SmaCrossover } from '../../../strategies/sma-crossover/sma-crossover.strategy.js';
import { TrendFilter } from '../../../strategies/trend-filter/trend-filter.strategy.js';
import { Twap } from '../../../strategies/twap/twap.strategy.js';
import { Weights } from '../../../strategies/weights/weights.strategy.js';

const FOLDER = resolve(import.meta.dirname, '../../../strategies');

const EXAMPLES: Readonly<Record<string, StrategyClass>> = {
  'bracketed-grid': BracketedGrid,
  'breakout-trail': BreakoutTrail,
  'channel-flip': ChannelFlip,
  'coin-hedge': CoinHedge,
  chase: Chase,
  grid: Grid,
  'margin-swing': MarginSwing,
  martingale: Martingale,
  quoter: Quoter,
  rotation: Rotation,
  'rsi-mean-reversion': RsiMeanReversion,
  'scale-out': ScaleOut,
  'sma-crossover': SmaCrossover,
  'trend-filter': TrendFilter,
  twap: Twap,
  weights: Weights,
};

/** The rows of a README's table of parameters: name, unit, range, default. */
function documentedParameters(name: string): readonly string[] {
  const readme = readFileSync(join(FOLDER, name, 'README.md'), 'utf8');
  return [...readme.matchAll(/^\| `(\w+)` +\| [^|]+ +\| ([^|]+?) +\| ([^|]+?) +\|/gm)].map(
    ([, parameter, range, defaultValue]) =>
      `${String(parameter)}: ${String(range)}, ${String(defaultValue)}`,
  );
}

function describeDeclared([name, declaration]: readonly [string, ParameterDeclaration]): string {
  if (declaration.kind !== 'int' && declaration.kind !== 'number') return name;
  const { min, max, defaultValue } = declaration;
  return `${name}: ${String(min)} to ${String(max)}, ${String(defaultValue)}`;
}

describe('the example strategies', () => {
  it('are all listed in this test', () => {
    expect(readdirSync(FOLDER).toSorted()).toEqual(Object.keys(EXAMPLES).toSorted());
  });

  it.each(Object.entries(EXAMPLES))('%s documents the parameters it declares', (name, example) => {
    const declared = Object.entries(example[STRATEGY].parameters).map(describeDeclared);

    expect(documentedParameters(name)).toEqual(declared);
  });

  it.each([
    'bracketed-grid',
    'chase',
    'grid',
    'martingale',
    'quoter',
    'scale-out',
    'twap',
    'weights',
  ])('%s has at most 40 lines of code', (name) => {
    const source = readFileSync(join(FOLDER, name, `${name}.strategy.ts`), 'utf8');
    const lines = source.split('\n').filter((line) => !/^\s*(\/\/|\/?\*|$)/.test(line));

    expect(lines.length).toBeLessThanOrEqual(40);
  });

  it.each(Object.keys(EXAMPLES))('%s does not mention the mode it runs in', (name) => {
    const source = readFileSync(join(FOLDER, name, `${name}.strategy.ts`), 'utf8');

    expect(source).not.toMatch(/back-?test|\blive\b|\bpaper\b|\breplay|simulat/i);
  });
});
