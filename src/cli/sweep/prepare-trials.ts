import { openRunArchive } from '../../archive/index.js';
import {
  ENGINE_VERSION,
  findMissingData,
  locateRunError,
  prepareMarket,
  type LoadedMarket,
} from '../../assembly/index.js';
import { combineProblems } from '../../config/index.js';
import {
  configWithin,
  groundSweep,
  openSnapshot,
  planSweep,
  takeSnapshot,
  type SweepGround,
  type SweepPlan,
  type TrialSpan,
} from '../../research/index.js';
import type { LoadedBot } from '../bot/load-bot.js';
import { pluginCache } from '../bot/plugin-cache.js';
import type { CliContext } from '../cli-context.js';
import type { TrialSetup } from './trial-pool.js';

/**
 * Reads the market of a bot once, into memory that the threads share.
 *
 * @throws {ConfigError} at the keys whose data is missing; {DataError} as the archive.
 */
export async function readTrialSetup(bot: LoadedBot, context: CliContext): Promise<TrialSetup> {
  const { config, plugin } = bot;
  const archive = openRunArchive(config.simulation.archive);
  const missing = await findMissingData(bot, archive);
  if (missing.length > 0) throw combineProblems(missing);
  const snapshot = await takeSnapshot(config, archive);
  return {
    config,
    snapshot,
    sourceHash: plugin.sourceHash,
    cacheFolder: await pluginCache(context),
  };
}

/** The inputs of a plan: a bot and its data, for the whole range or a part of it. */
interface PlannedGround {
  readonly bot: LoadedBot;
  readonly setup: TrialSetup;
  readonly span?: TrialSpan | undefined;
}

/** Gives each combination an id made from all its inputs. @throws as {@link groundTrials}. */
export async function planTrials(
  planned: PlannedGround,
  combinations: SweepPlan['combinations'],
): Promise<SweepPlan> {
  return planSweep(combinations, await groundTrials(planned));
}

/** Reads the inputs that all ids share. @throws as `prepareMarket`, at the keys of the bot's file. */
export async function groundTrials({ bot, setup, span }: PlannedGround): Promise<SweepGround> {
  const config = span === undefined ? setup.config : configWithin(setup.config, span);
  const market = await openMarket({ bot, setup, span });
  const strategy = bot.plugin.strategyClass.name;
  const { sourceHash } = setup;
  const ground = groundSweep({
    config,
    market,
    span,
    strategy,
    sourceHash,
    engine: ENGINE_VERSION,
  });
  await market.close();
  return ground;
}

/** Opens the market in the way of the threads. The caller must close it. */
export async function openMarket({ bot, setup, span }: PlannedGround): Promise<LoadedMarket> {
  const config = span === undefined ? setup.config : configWithin(setup.config, span);
  return prepareMarket(config, openSnapshot(setup.snapshot)).catch((error: unknown) => {
    throw locateRunError(error, bot);
  });
}
