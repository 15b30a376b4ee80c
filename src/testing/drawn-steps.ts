import {
  formatFixed,
  nominalIntervalMs,
  present,
  RULE_LIMITS,
  type InstrumentId,
  type InstrumentRules,
} from '../domain/index.js';
import type { FuzzGround, LaidOut, LaidOutMarket } from '../research/index.js';
import { GAP, type CandleShape, type PlayedShape } from './candle-shapes.js';
import type { ChangedRules, StrategyTest } from './strategy-test.js';

/** One step of a test with a random market. */
export type DrawnStep =
  | { readonly kind: 'play'; readonly played: PlayedShape }
  | {
      readonly kind: 'rules';
      readonly changed: ChangedRules;
      /** Undefined if there is only one instrument. */
      readonly instrument: InstrumentId | undefined;
    };

/** Turns a random market into the steps of a test: the same candles, written as briefly as in a test. */
export function stepsOf(
  { starts, interval }: Pick<FuzzGround, 'starts' | 'interval'>,
  { markets }: Pick<LaidOut, 'markets'>,
): readonly DrawnStep[] {
  const first = Math.min(...markets.map(({ columns }) => present(columns.openTime[0], 'a candle')));
  const isAlone = markets.length === 1;
  const places = new Map<number, Place>();
  const at = (time: number): Place => {
    const place = Math.round((time - first) / nominalIntervalMs(interval));
    const known = places.get(place) ?? { rules: [], shapes: {} };
    places.set(place, known);
    return known;
  };
  for (const [index, market] of markets.entries()) {
    const { instrumentId, columns, rules } = market;
    const { money } = present(starts[index], 'a start');
    for (const [row, openTime] of columns.openTime.entries())
      at(openTime).shapes[instrumentId] = shapeOf(market, row, money);
    for (const [before, { from, rules: now }] of rules.slice(1).entries())
      at(from).rules.push({
        kind: 'rules',
        changed: changeOf(present(rules[before], 'rules').rules, now),
        instrument: isAlone ? undefined : instrumentId,
      });
  }
  return Array.from({ length: Math.max(...places.keys()) + 1 }, (_, place) =>
    stepsAt(places.get(place), isAlone),
  ).flat();
}

/** Everything that happens within one candle's time. */
interface Place {
  readonly rules: DrawnStep[];
  readonly shapes: Record<InstrumentId, CandleShape>;
}

function stepsAt(place: Place | undefined, isAlone: boolean): readonly DrawnStep[] {
  const { rules, shapes } = place ?? { rules: [], shapes: {} };
  const [alone] = Object.values(shapes);
  const played = alone === undefined ? GAP : isAlone ? alone : shapes;
  return [...rules, { kind: 'play', played }];
}

/** Runs one step. */
export function takeStep(test: StrategyTest, step: DrawnStep): void {
  if (step.kind === 'play') test.play([step.played]);
  else test.changeRules(step.changed, step.instrument);
}

/** A candle without the values that follow from its own and the previous close. A large volume is left out, too, because the default is large. */
function shapeOf({ columns }: LaidOutMarket, row: number, money: number): CandleShape {
  const value = (name: 'open' | 'high' | 'low' | 'close' | 'volume'): number =>
    columns[name][row] as number;
  const [open, close, volume] = [value('open'), value('close'), value('volume')];
  const before = row === 0 ? close : (columns.close[row - 1] as number);
  return {
    ...(open !== before && { open }),
    ...(value('high') > Math.max(open, close) && { high: value('high') }),
    ...(value('low') < Math.min(open, close) && { low: value('low') }),
    close,
    ...(volume * close < 2 * money && { volume }),
  };
}

function changeOf(before: InstrumentRules, now: InstrumentRules): ChangedRules {
  const { tradable, pricePrecision, quantityPrecision } = now;
  const limits = RULE_LIMITS.filter((name) => now[name] !== before[name]).map((name) => [
    name,
    formatFixed(now[name] ?? 0n),
  ]);
  return {
    ...(tradable !== before.tradable && { tradable }),
    ...(pricePrecision !== before.pricePrecision && { pricePrecision }),
    ...(quantityPrecision !== before.quantityPrecision && { quantityPrecision }),
    ...(Object.fromEntries(limits) as Partial<ChangedRules>),
  };
}
