import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { SeriesEntry } from '../../archive/index.js';
import { formatUtc } from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { formatBytes, formatCount, seriesJson } from './format.js';
import { giveResult } from './give-result.js';
import { archiveOption, jsonOption } from './options.js';

interface ListFlags {
  readonly archive: string;
  readonly json?: string;
}

/** Adds `data list`: what an archive holds. */
export function addListVerb(data: Command, context: CliContext): void {
  data
    .command('list')
    .summary('show what an archive holds')
    .description('Lists the stored series: rows, range, gaps, unit of volume, size and sources.')
    .addOption(archiveOption())
    .addOption(jsonOption())
    .action((flags: ListFlags) => runList(flags, context));
}

async function runList(flags: ListFlags, context: CliContext): Promise<void> {
  const { openArchive } = await import('../../archive/index.js');
  const entries = await openArchive(resolve(context.cwd, flags.archive)).list();
  const text =
    entries.length === 0 ? `the archive ${flags.archive} is empty\n` : await table(entries);
  await giveResult(context, { text, json: entries.map(entryJson) }, flags.json);
}

async function table(entries: readonly SeriesEntry[]): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const rows = new Table({
    head: [
      'instrument',
      'interval',
      'rows',
      'from',
      'to',
      'gaps',
      'missing',
      'volume',
      'size',
      'sources',
    ],
    colAligns: ['left', 'left', 'right', 'left', 'left', 'right', 'right', 'left', 'right', 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const entry of entries) rows.push(entryCells(entry));
  return `${rows.toString()}\n`;
}

function entryCells(entry: SeriesEntry): string[] {
  const { instrumentId, interval } = entry.key;
  if (entry.status === 'broken') {
    return [instrumentId, interval, 'broken', '', '', '', '', '', '', entry.error.code];
  }
  const { info } = entry;
  return [
    instrumentId,
    interval,
    formatCount(info.rows),
    formatUtc(info.from),
    formatUtc(info.to),
    formatCount(info.gaps),
    formatCount(info.missing),
    info.volumeUnit,
    formatBytes(info.file.bytes),
    info.sources.join(', '),
  ];
}

function entryJson(entry: SeriesEntry): Readonly<Record<string, unknown>> {
  if (entry.status === 'usable') return { status: 'usable', ...seriesJson(entry.info) };
  return {
    status: 'broken',
    instrument: entry.key.instrumentId,
    interval: entry.key.interval,
    error: { code: entry.error.code, message: entry.error.message },
  };
}
