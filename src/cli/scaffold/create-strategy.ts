import { rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasSystemCode, makeFolder, writeFileAtomically } from '../../archive/index.js';
import { formatConfigJsonSchema, splitSymbol } from '../../config/index.js';
import {
  DataError,
  nounOf,
  present,
  reasonOf,
  splitInstrumentId,
  UsageError,
} from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { ownCommand, ownInstall } from '../own-command.js';
import { renderBot } from './bot-template.js';
import { chooseSeries, type ChosenSeries } from './choose-series.js';
import { listProjectFiles, type NewFile } from './project-files.js';
import {
  renderReadme,
  renderStrategy,
  renderTest,
  type StrategyNames,
} from './strategy-template.js';

/** Options of `new strategy` as commander parses them. */
export interface NewStrategyFlags {
  readonly archive?: string;
}

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const LONGEST_NAME = 40;
/** The template imports it. */
const BASE_CLASS = 'CandleStrategy';

/**
 * Writes a strategy, its test and notes, and a bot that runs on stored or sample candles.
 *
 * @throws {UsageError} `E_SCAFFOLD_NAME` when the name is not valid, `E_SCAFFOLD_EXISTS` when a file of it exists, `E_SCAFFOLD_DATA`; {DataError}
 * `E_SCAFFOLD_WRITE` when the folder cannot be written. Then no file of the strategy is left.
 */
export async function createStrategy(
  name: string,
  { archive }: NewStrategyFlags,
  { cwd, stdout }: CliContext,
): Promise<void> {
  const names = parseName(name);
  const folder = `strategies/${name}`;
  const bot = `config/${name}.backtest.yaml`;
  for (const place of [folder, bot]) await refuseExisting(path.resolve(cwd, place), place);
  const series = await chooseSeries(cwd, archive);
  const project = await listProjectFiles(cwd);
  const command = ownCommand(cwd);
  const install = ownInstall(cwd);
  const files = [
    { name: `${folder}/${name}.strategy.ts`, text: renderStrategy(names) },
    { name: `${folder}/${name}.test.mjs`, text: renderTest(names) },
    { name: `${folder}/README.md`, text: renderReadme(names, command) },
    { name: bot, text: describeBot(name, series, { cwd, command }) },
    ...project.files,
  ];
  await writeAll(files, { cwd, folder });
  // All bots of the folder share the schema, so an existing one is overwritten.
  const schema = new TextEncoder().encode(formatConfigJsonSchema());
  await writeFileAtomically(path.resolve(cwd, 'config/bot.schema.json'), [schema]);
  const { info, isNew } = series;
  const shown = path.relative(cwd, series.folder) || '.';
  stdout.write(
    [
      ...files.map((file) => `wrote ${file.name}`),
      `${isNew ? 'made' : 'found'} ${String(info.rows)} ${nounOf(info.rows, 'candle')} of ${info.instrumentId} ${info.interval} in ${shown}`,
      ...project.advice,
      'next:',
      // The test imports the package.
      ...(install === undefined ? [] : [`  ${install}`]),
      `  ${command} check ${bot}`,
      `  ${command} backtest ${bot}`,
      `  node --test ${folder}/`,
      '',
    ].join('\n'),
  );
}

function parseName(name: string): StrategyNames {
  if (!NAME.test(name) || name.length > LONGEST_NAME) {
    throw new UsageError(
      'E_SCAFFOLD_NAME',
      `expected a name of at most ${String(LONGEST_NAME)} lower-case letters, digits and single hyphens, such as my-idea, received ${JSON.stringify(name)}`,
    );
  }
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const className = words.join('');
  if (className === BASE_CLASS)
    throw new UsageError(
      'E_SCAFFOLD_NAME',
      `expected a name whose class is not ${BASE_CLASS}, the base of the new class, received ${JSON.stringify(name)}`,
    );
  return { file: name, className };
}

async function refuseExisting(place: string, shown: string): Promise<void> {
  const found = await stat(place).catch(() => undefined);
  if (found === undefined) return;
  throw new UsageError('E_SCAFFOLD_EXISTS', `${shown} already exists: take another name`);
}

function describeBot(
  name: string,
  { folder, info, kind, pricePrecision, isSample }: ChosenSeries,
  { cwd, command }: { readonly cwd: string; readonly command: string },
): string {
  const { symbol } = splitInstrumentId(info.instrumentId);
  return renderBot({
    name,
    kind,
    symbol,
    quote: present(splitSymbol(symbol)[0], 'quote').quote,
    interval: info.interval,
    archive: path.relative(path.join(cwd, 'config'), folder).split(path.sep).join('/'),
    plugin: `../strategies/${name}/${name}.strategy.ts`,
    pricePrecision,
    command,
    candles: isSample ? 'random candles made by `evenkeel new`' : 'stored candles',
  });
}

async function writeAll(
  files: readonly NewFile[],
  { cwd, folder }: { readonly cwd: string; readonly folder: string },
): Promise<void> {
  const written = [folder];
  try {
    for (const { name, text } of files) {
      const file = path.resolve(cwd, name);
      await makeFolder(path.dirname(file));
      await writeFile(file, text, { flag: 'wx' }).catch((cause: unknown) => {
        // A disk that is full leaves a part of the file.
        if (!hasSystemCode(cause, 'EEXIST')) written.push(name);
        throw cause;
      });
      written.push(name);
    }
  } catch (cause: unknown) {
    for (const place of written) {
      // If a file cannot be removed, it was never written.
      await rm(path.resolve(cwd, place), { recursive: true, force: true }).catch(() => undefined);
    }
    throw new DataError('E_SCAFFOLD_WRITE', `cannot write the strategy: ${reasonOf(cause)}`, {
      cause,
    });
  }
}
