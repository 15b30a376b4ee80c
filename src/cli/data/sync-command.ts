import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { Archive, ArchiveEntry } from '../../archive/index.js';
import { DataError, UsageError } from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { ProgressLine } from '../progress.js';
import { checkOutput } from '../write-output.js';
import { giveResult } from './give-result.js';
import {
  archiveOption,
  FILE_KINDS,
  intervalOption,
  isWanted,
  jsonOption,
  productOption,
  symbolOption,
  type FileKind,
  type SeriesOptions,
} from './options.js';
import { syncRefusal, syncJson, syncText, type SyncedHolding } from './sync-report.js';

interface SyncFlags extends SeriesOptions {
  readonly kind?: FileKind;
  readonly archive: string;
  readonly replace?: true;
  readonly dryRun?: true;
  readonly json?: string;
}

const DETAILS = `
Compares the series of both archives by their recorded checksums, and reads only those
that differ. Stored rows stay, also those that FROM does not have. If an instant has
different values in FROM, its series does not change, and the command reports it and fails
after the others; --replace takes the values of FROM. Nothing in FROM changes.

A series is copied completely or not at all. After an interruption, the same command
continues from there.

Examples:
  evenkeel data sync /mnt/server/data
  evenkeel data sync ../other/data --product spot --interval 1min --dry-run
`;

/** Adds `data sync`: copies from another archive what this one lacks. */
export function addSyncCommand(data: Command, context: CliContext): void {
  data
    .command('sync')
    .summary('copy missing data from another archive')
    .description(
      'Copies missing candles, mark prices, funding, rules and tiers from another archive.',
    )
    .argument('<from>', 'folder of the other archive')
    .addOption(new Option('--kind <kind>', 'copy only this kind of data').choices([...FILE_KINDS]))
    .addOption(productOption())
    .addOption(symbolOption())
    .addOption(intervalOption())
    .addOption(archiveOption())
    .option('--replace', 'overwrite stored values that differ')
    .option('--dry-run', 'write nothing, only show the changes')
    .addOption(jsonOption())
    .addHelpText('after', DETAILS)
    .action((from: string, flags: SyncFlags) => runSync(from, flags, context));
}

async function runSync(fromFolder: string, flags: SyncFlags, context: CliContext): Promise<void> {
  const [fromPath, toPath] = [fromFolder, flags.archive].map((path) => resolve(context.cwd, path));
  if (fromPath === undefined || toPath === undefined) return;
  await requireTwo(fromPath, toPath);
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const { openArchive } = await import('../../archive/index.js');
  const route = { from: openArchive(fromPath), to: openArchive(toPath) };
  const wanted = (await route.from.holdings()).filter(
    ({ key }) => (flags.kind ?? key.kind) === key.kind && isWanted(key, flags),
  );
  if (wanted.length === 0) {
    throw new DataError(
      'E_DATA_MISSING',
      `the archive ${fromFolder} has no series that matches the filters`,
    );
  }
  const synced = await syncAll(route, wanted, flags, context);
  const dryRun = flags.dryRun ?? false;
  await giveResult(
    context,
    { text: syncText(synced, dryRun), json: { dryRun, series: synced.map(syncJson) } },
    flags.json,
  );
  const refused = syncRefusal(synced);
  if (refused !== undefined) throw refused;
}

/** @throws {UsageError} `E_USAGE` if both are the same folder. */
async function requireTwo(from: string, to: string): Promise<void> {
  const [real, other] = await Promise.all(
    [from, to].map((path) => realpath(path).catch(() => path)),
  );
  if (real !== other) return;
  throw new UsageError(
    'E_USAGE',
    `expected the folder of another archive, received the folder of --archive, ${to}`,
  );
}

/** Copies all series. A problem with one series does not stop the others; a disk that cannot be written does. */
async function syncAll(
  route: { readonly from: Archive; readonly to: Archive },
  wanted: readonly ArchiveEntry[],
  { replace, dryRun }: SyncFlags,
  { signal, stderr }: CliContext,
): Promise<readonly SyncedHolding[]> {
  const { describeHolding, syncHolding } = await import('../../archive/index.js');
  const stored = await holdingsOf(route.to);
  const here = new Map(stored.map((entry) => [describeHolding(entry.key), entry]));
  const progress = new ProgressLine(stderr);
  const synced: SyncedHolding[] = [];
  try {
    for (const [index, theirs] of wanted.entries()) {
      signal.throwIfAborted();
      const { key } = theirs;
      const name = describeHolding(key);
      progress.show(`${String(index + 1)} of ${String(wanted.length)}: ${name}`);
      try {
        const pair = { theirs, ours: here.get(name) };
        const report = await syncHolding(route, pair, { replace, dryRun, signal });
        synced.push({ key, name, report });
      } catch (error) {
        if (!(error instanceof DataError) || error.code === 'E_DATA_WRITE') throw error;
        synced.push({ key, name, error });
      }
    }
  } finally {
    progress.clear();
  }
  return synced;
}

/** Lists the stored series. If the folder does not exist yet, there are none: the first copied series makes it. */
async function holdingsOf(archive: Archive): Promise<readonly ArchiveEntry[]> {
  try {
    return await archive.holdings();
  } catch (error) {
    if (error instanceof DataError && error.code === 'E_DATA_ARCHIVE') return [];
    throw error;
  }
}
