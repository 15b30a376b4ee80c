import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeFolder, openArchive, writeFileAtomically } from '../../archive/index.js';
import { nounOf } from '../../domain/index.js';
import { copyJournalFile } from '../../journal/index.js';
import { parseResult, type Result } from '../../report/index.js';
import type { BacktestFlags } from '../backtest/run-backtest-command.js';
import { loadBot, type LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { checkOutput } from '../write-output.js';
import { readText } from '../report/read-text.js';
import { DATA, JOURNAL, RESULT } from './bundle-layout.js';
import { packBundle, type BundledFile } from './bundle-file.js';
import { filesOf, manifestOf } from './bundled-bot.js';
import { replayEpochs } from './bundled-journal.js';
import { describeFirstDifference, runAgain } from './bundled-run.js';
import { copyMarket, copyTerms } from './copy-market.js';
import { writeFiles } from './write-files.js';

/** Options of `bundle` as commander parses them. */
export interface BundleFlags extends Pick<BacktestFlags, 'from' | 'to' | 'set'> {
  readonly config: string;
  readonly out: string;
}

/** The packed files, and the name of the run. Undefined if the run differs when it is repeated; the user has been told. */
type Packed = { readonly files: readonly BundledFile[]; readonly name: string } | undefined;

/** First bytes of a file that is a journal. */
const SQLITE = 'SQLite format 3\0';

/**
 * Packs a result, or a journal, with all its inputs: the config, the plugin with the files that it imports, the stored candles and terms, and the versions of
 * engine and Node. First the run is repeated: a run that the config does not reproduce is not packed.
 */
export async function createBundle(
  file: string,
  { config, out, ...overrides }: BundleFlags,
  context: CliContext,
): Promise<void> {
  context.watchInterrupts?.();
  await checkOutput(out, context);
  const work = await mkdtemp(path.join(tmpdir(), 'evenkeel-bundle-'));
  try {
    await makeFolder(path.join(work, DATA));
    const isJournal = await beginsWith(path.resolve(context.cwd, file), SQLITE);
    const packed = await (isJournal ? packJournal : packResult)(
      file,
      { config, overrides, work },
      context,
    );
    if (packed === undefined) return;
    const { files, name } = packed;
    const bytes = packBundle(files);
    await writeFileAtomically(path.resolve(context.cwd, out), [bytes], { signal: context.signal });
    context.stdout.write(
      `${out}: ${String(files.length)} ${nounOf(files.length, 'file')}, ${(bytes.byteLength / 1e6).toFixed(1)} MB, ${name}\n`,
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

interface PackFlags {
  readonly config: string;
  readonly overrides: Pick<BundleFlags, 'from' | 'to' | 'set'>;
  /** A temporary folder for this bundle only. */
  readonly work: string;
}

async function packResult(
  file: string,
  { config, work, overrides }: PackFlags,
  context: CliContext,
): Promise<Packed> {
  const text = await readText(file, context);
  const result = parseResult(text, file);
  const bot = await loadBot(config, context, overrides);
  const difference =
    describeOtherInstruments(result, bot) ??
    describeFirstDifference(
      text,
      await runAgain(config, { result, folder: work, overrides }, context),
    );
  if (difference !== undefined) {
    refuse(file, config, `${difference}; pass the --from, --to and --set of its run`, context);
    return undefined;
  }
  const data = path.join(work, DATA);
  await copyMarket(openArchive(bot.config.simulation.archive), data, bot.config);
  const { id } = result.run;
  return {
    files: [
      await manifestOf(bot, { run: id }),
      { name: RESULT, bytes: Buffer.from(text) },
      ...(await filesOf(bot, data)),
    ],
    name: `run ${id}`,
  };
}

/** A config of other instruments is that of another bot, and need not be run to know it. */
function describeOtherInstruments({ run }: Result, { config }: LoadedBot): string | undefined {
  const expected = run.instruments.join(', ');
  const received = config.instruments.map(({ instrumentId }) => instrumentId).join(', ');
  if (received === expected) return undefined;
  return `expected the instruments ${expected}, received ${received}`;
}

/** Packs a journal. It has its candles in it, so only the terms of the archive are packed. The check replays it from the packed files. */
async function packJournal(
  file: string,
  { config, work, overrides }: PackFlags,
  context: CliContext,
): Promise<Packed> {
  const bot = await loadBot(config, context, overrides);
  const data = path.join(work, DATA);
  await copyTerms(openArchive(bot.config.simulation.archive), data, bot.config);
  const journal = path.join(work, JOURNAL);
  await copyJournalFile(path.resolve(context.cwd, file), journal);
  const files = [{ name: JOURNAL, bytes: await readFile(journal) }, ...(await filesOf(bot, data))];
  const folder = path.join(work, 'unpacked');
  await writeFiles(files, folder);
  const replayed = await replayEpochs(folder, context);
  if (replayed.difference !== undefined) {
    refuse(file, config, replayed.difference, context);
    return undefined;
  }
  const { epochs } = replayed;
  return {
    files: [await manifestOf(bot, { bot: bot.config.name, epochs }), ...files],
    name: `${String(epochs)} ${nounOf(epochs, 'epoch')} of ${bot.config.name}`,
  };
}

function refuse(file: string, config: string, difference: string, context: CliContext): void {
  context.stderr.write(`${config} gives another result than ${file}: ${difference}\n`);
  context.setExitCode(3);
}

/** Whether a file can be read and begins with `text`. */
async function beginsWith(file: string, text: string): Promise<boolean> {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return false;
  try {
    // The reader of a result says what is wrong with a folder.
    if ((await handle.stat()).isDirectory()) return false;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(text.length), 0, text.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === text;
  } finally {
    await handle.close();
  }
}
