import { setImmediate as nextTurn } from 'node:timers/promises';
import { openRunArchive } from '../../archive/index.js';
import { locateRunError } from '../../assembly/index.js';
import { nounOf } from '../../domain/index.js';
import {
  parseLaw,
  prepareGround,
  runFuzz,
  writeDocument,
  type Fuzz,
  type FuzzProgress,
  type RunLaw,
} from '../../research/index.js';
import { loadBot, type LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { ownCommand } from '../own-command.js';
import { ProgressLine } from '../progress.js';
import { checkOutput, checkOutputFolder, writeOutput } from '../write-output.js';
import type { FuzzFlags } from './fuzz-flags.js';
import { keepHistory } from './keep-history.js';
import { renderFuzz } from './render-fuzz.js';

/** Runs `fuzz`. Laws and output are checked before the first backtest. */
export async function runFuzzCommand(
  file: string,
  flags: FuzzFlags,
  context: CliContext,
): Promise<void> {
  const laws = (flags.law ?? []).map(parseLaw);
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  await checkOutputFolder(flags.out, context);
  const bot = await loadBot(file, context, { set: flags.set });
  const document = await fuzz(bot, { flags, laws }, context);
  if (flags.json !== undefined) await writeOutput(flags.json, writeDocument(document), context);
  if (flags.json !== '-') {
    const { participation } = bot.config.simulation;
    const command = ownCommand(context.cwd);
    context.stdout.write(renderFuzz(document, { participation, command }));
  }
  if (document.violations.length > 0) context.setExitCode(3);
}

interface Wanted {
  readonly flags: FuzzFlags;
  readonly laws: readonly RunLaw[];
}

async function fuzz(bot: LoadedBot, { flags, laws }: Wanted, context: CliContext): Promise<Fuzz> {
  const { config, plugin, rules } = bot;
  const { strategyClass, sourceHash } = plugin;
  const { candles, runs: histories, seed, out } = flags;
  const { signal } = context;
  const progress = new ProgressLine(context.stderr);
  try {
    const archive = openRunArchive(config.simulation.archive);
    const ground = await prepareGround({
      config,
      rules,
      archive,
      strategyClass,
      sourceHash,
      candles,
    });
    return await runFuzz({
      strategy: plugin.name,
      ...{ ground, laws, histories, seed, signal },
      keep: (found) => keepHistory(found, { bot, ground, out, seed, cwd: context.cwd }),
      onRun: async ({ runs, broken }: FuzzProgress) => {
        const found = broken === 0 ? '' : `, ${String(broken)} ${nounOf(broken, 'law')} broken`;
        progress.show(`${String(runs)} ${nounOf(runs, 'backtest')}${found}`);
        await nextTurn();
      },
    });
  } catch (error: unknown) {
    throw locateRunError(error, bot);
  } finally {
    progress.clear();
  }
}
