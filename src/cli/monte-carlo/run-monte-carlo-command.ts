import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openRunArchive } from '../../archive/index.js';
import {
  findMissingData,
  locateRunError,
  prepareMarket,
  replayToResult,
} from '../../assembly/index.js';
import { combineProblems } from '../../config/index.js';
import { DataError, reasonOf, UsageError } from '../../domain/index.js';
import { readResultJson, type Result } from '../../report/index.js';
import { runMonteCarlo, writeDocument } from '../../research/index.js';
import { loadBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { checkOutput, writeOutput } from '../write-output.js';
import type { MonteCarloFlags } from './monte-carlo-flags.js';
import { renderMonteCarlo } from './render-monte-carlo.js';
import { readPlace } from '../queue/queue-place.js';
import { rerunCandles, type RunBot } from './rerun-candles.js';

/** Runs `monte-carlo` on a stored result, or on the result of a new backtest. */
export async function runMonteCarloCommand(
  file: string,
  flags: MonteCarloFlags,
  context: CliContext,
): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const place = await readPlace(flags, context);
  if (place !== undefined && flags.candles === undefined)
    throw new UsageError(
      'E_USAGE',
      '--queue needs --candles: workers run only the histories of --candles',
    );
  if (flags.jobs !== undefined && flags.candles === undefined)
    throw new UsageError(
      'E_USAGE',
      '--jobs needs --candles: threads run only the histories of --candles',
    );
  context.watchInterrupts?.();
  const { result, bot } = file.endsWith('.json')
    ? { result: await readStored(file, flags, context), bot: undefined }
    : await backtest(file, flags, context);
  const { candles: histories } = flags;
  const candles =
    histories === undefined || bot === undefined
      ? null
      : await rerunCandles({ bot, result, place }, { ...flags, candles: histories }, context);
  const breathe = async (): Promise<void> => {
    await nextTurn();
    context.signal.throwIfAborted();
  };
  const document = await runMonteCarlo({ ...flags, result, candles, breathe });
  if (flags.json !== undefined) await writeOutput(flags.json, writeDocument(document), context);
  if (flags.json !== '-') context.stdout.write(renderMonteCarlo(document));
}

/** Reads a stored result. @throws {UsageError} `E_USAGE` for options that change a bot; {DataError} `E_DATA_READ`, and as `readResult`. */
async function readStored(
  file: string,
  { from, to, set, candles }: MonteCarloFlags,
  { cwd }: CliContext,
): Promise<Result> {
  if (from !== undefined || to !== undefined || set !== undefined)
    throw new UsageError(
      'E_USAGE',
      `--from, --to and --set need the YAML file of a bot, received the result ${file}`,
    );
  if (candles !== undefined)
    throw new UsageError(
      'E_USAGE',
      `--candles needs the YAML file of a bot, received the result ${file}`,
    );
  const text = await readFile(path.resolve(cwd, file), 'utf8').catch((cause: unknown) => {
    throw new DataError('E_DATA_READ', `cannot read ${file}: ${reasonOf(cause)}`, { cause });
  });
  return readResultJson(text, file);
}

async function backtest(
  file: string,
  flags: MonteCarloFlags,
  context: CliContext,
): Promise<RunBot> {
  const bot = await loadBot(file, context, flags);
  const { config, plugin, scan } = bot;
  const archive = openRunArchive(config.simulation.archive);
  const missing = await findMissingData(bot, archive);
  if (missing.length > 0) throw combineProblems(missing);
  const { strategyClass, sourceHash } = plugin;
  const { findings } = scan;
  const { signal } = context;
  try {
    const market = await prepareMarket(config, archive);
    try {
      const breathe = (): Promise<void> => nextTurn();
      const run = { config, strategyClass, sourceHash, findings, signal, breathe };
      return { bot, result: await replayToResult(market, run) };
    } finally {
      await market.close();
    }
  } catch (error: unknown) {
    throw locateRunError(error, bot);
  }
}
