import { formatFixed, formatUtc, nounOf } from '../domain/index.js';
import type { Engine } from '../engine/index.js';
import type { SimulatedVenue } from '../simulator/index.js';
import { findIdleProtections } from './active-checks.js';
import type { BacktestConfig } from '../config/index.js';
import type { Replay } from './replay/replay.js';

/** The parts of an ended run that caveats look at. */
interface EndedRun {
  readonly config: BacktestConfig;
  readonly loop: Pick<Replay, 'candles' | 'delayedCommands'>;
  readonly engine: Pick<Engine, 'intentCounts' | 'halts' | 'hasStrays' | 'dust'>;
  readonly venue: Pick<SimulatedVenue, 'markUses'>;
}

/** Lists what makes a result look better than it may be, or is easily overlooked: choices of the configuration, and events of the run. */
export function listCaveats(run: EndedRun): readonly string[] {
  return [
    ...ofConfig(run),
    ...ofIndicators(run),
    ...ofVenue(run),
    ...ofProtections(run),
    ...ofDust(run),
  ];
}

function ofConfig({ config: { simulation }, loop, engine }: EndedRun): readonly string[] {
  const said: string[] = [];
  if (loop.candles === 0)
    said.push('the data ended before the strategy was warm: nothing was traded');
  if (simulation.participation === 'off')
    said.push('participation is off: orders of any size fill');
  if (simulation.fillOnTouch)
    said.push('fillOnTouch is on: limit orders fill when the price touches them');
  const { dropped } = engine.intentCounts;
  if (dropped > 0)
    said.push(
      `${String(dropped)} ${nounOf(dropped, 'intent was', 'intents were')} dropped during warm-up`,
    );
  return said;
}

function ofIndicators({ config, engine }: EndedRun): readonly string[] {
  return config.instruments.flatMap(({ instrumentId, intervals }) =>
    intervals
      .filter((interval) => engine.hasStrays({ instrumentId, interval }))
      .map(
        (interval) =>
          `${instrumentId} ${interval}: some numbers lie on no tick grid; averages over them are float64, and equal ones may differ in the last digit`,
      ),
  );
}

function ofDust({ engine }: EndedRun): readonly string[] {
  return engine.dust.held.map(
    ({ instrumentId, quantity }) =>
      `${instrumentId}: ${formatFixed(quantity)} is held that is too small to be sold; an entry tops it up`,
  );
}

function ofVenue({ loop, venue }: EndedRun): readonly string[] {
  const said: string[] = [];
  if (loop.delayedCommands > 0)
    said.push(
      `${String(loop.delayedCommands)} ${nounOf(loop.delayedCommands, 'command')} waited for the venue's rate limits`,
    );
  for (const [id, { isTooCoarse, hasGaps }] of venue.markUses()) {
    if (isTooCoarse)
      said.push(`${id}: mark candles longer than 1h settle funding only; last liquidates`);
    else if (hasGaps) said.push(`${id}: mark prices are missing in places; last stands for them`);
  }
  return said;
}

function ofProtections({ config, engine }: EndedRun): readonly string[] {
  const said = findIdleProtections(config).map(
    ({ key, needs }) => `risk.${key} guards nothing: it needs ${needs}`,
  );
  for (const { reason, since, until } of engine.halts) {
    if (until === undefined)
      said.push(`entries were halted by ${reason} from ${formatUtc(since)} to the end`);
  }
  return said;
}
