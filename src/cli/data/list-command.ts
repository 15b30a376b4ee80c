import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ArchiveEntry, HoldingInfo } from '../../archive/index.js';
import { formatUtc } from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { formatBytes, formatCount, holdingJson } from './format.js';
import { giveResult } from './give-result.js';
import { archiveOption, jsonOption } from './options.js';
import { formatTable, type TextColumn } from './text-table.js';

interface ListFlags {
  readonly archive: string;
  readonly json?: string;
}

/** Adds `data list`: shows the contents of an archive. */
export function addListCommand(data: Command, context: CliContext): void {
  data
    .command('list')
    .summary('list the series of an archive')
    .description(
      'Lists candles, mark prices, funding, rules and tiers of an archive: rows, range, gaps, unit of volume, size and sources.',
    )
    .addOption(archiveOption())
    .addOption(jsonOption())
    .action((flags: ListFlags) => runList(flags, context));
}

async function runList(flags: ListFlags, context: CliContext): Promise<void> {
  const { openArchive } = await import('../../archive/index.js');
  const entries = await openArchive(resolve(context.cwd, flags.archive)).holdings();
  const text =
    entries.length === 0
      ? `the archive ${flags.archive} is empty\n`
      : formatTable(COLUMNS, entries.map(entryCells));
  await giveResult(context, { text, json: entries.map(entryJson) }, flags.json);
}

const COLUMNS: readonly TextColumn[] = [
  { head: 'instrument', align: 'left' },
  { head: 'kind', align: 'left' },
  { head: 'interval', align: 'left' },
  { head: 'rows', align: 'right' },
  { head: 'from', align: 'left' },
  { head: 'to', align: 'left' },
  { head: 'gaps', align: 'right' },
  { head: 'missing', align: 'right' },
  { head: 'volume', align: 'left' },
  { head: 'size', align: 'right' },
  { head: 'sources', align: 'left' },
];

function entryCells(entry: ArchiveEntry): readonly string[] {
  const { instrumentId, kind, interval = '' } = entry.key;
  if (entry.status === 'broken') {
    return [instrumentId, kind, interval, 'broken', '', '', '', '', '', '', entry.error.code];
  }
  const { info } = entry;
  return [
    instrumentId,
    kind,
    interval,
    formatCount(info.rows),
    formatUtc(info.from),
    formatUtc(info.to),
    ...gapCells(info),
    formatBytes('file' in info ? info.file.bytes : info.bytes),
    info.sources.join(', '),
  ];
}

/** Gaps, missing candles and the unit of the volume. Funding, rules and tiers have none of these; mark prices have no volume. */
function gapCells(info: HoldingInfo): readonly string[] {
  if (!('interval' in info)) return ['', '', ''];
  const unit = info.kind === 'mark' ? '' : info.volumeUnit;
  return [formatCount(info.gaps), formatCount(info.missing), unit];
}

function entryJson(entry: ArchiveEntry): Readonly<Record<string, unknown>> {
  if (entry.status === 'usable') return { status: 'usable', ...holdingJson(entry.info) };
  const { instrumentId, kind, interval } = entry.key;
  return {
    status: 'broken',
    instrument: instrumentId,
    kind,
    ...(interval === undefined ? {} : { interval }),
    error: { code: entry.error.code, message: entry.error.message },
  };
}
