import path from 'node:path';
import { openRunArchive } from '../../archive/index.js';
import { hashInputs, prepareMarket } from '../../assembly/backtest/index.js';
import { UsageError } from '../../domain/index.js';
import {
  buildAuditPage,
  buildComparison,
  buildRunPage,
  buildSweepPage,
  buildWalkForwardPage,
  type PageData,
  type RunExtras,
} from '../../page/index.js';
import { readResultJson, type Result } from '../../report/index.js';
import {
  readAudit,
  readSignificance,
  readSweep,
  readWalkForward,
  type Audit,
  type Significance,
} from '../../research/index.js';
import { loadBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { checkOutput } from '../write-output.js';
import { chartSeries } from './chart-series.js';
import { explainIntents } from './explain-intents.js';
import { openInBrowser } from './open-in-browser.js';
import { readText } from './read-text.js';
import { writeReport } from './write-report.js';

/** Options of `report` as commander parses them. */
export interface ReportFlags {
  readonly out?: string;
  readonly config?: string;
  readonly set?: readonly string[];
  readonly journal?: string;
  readonly audit?: string;
  readonly significance?: string;
  readonly open?: true;
}

const NO_CANDLES =
  'A result has no candles. To see them, name the bot whose archive has them: report RESULT --config BOT.yaml, or write the page with the run: backtest BOT.yaml --report FILE.html.';

const OTHER_CANDLES =
  'The data of --config have another hash than the data of the run. Candles may differ from those of the run.';

/** Runs `report`. It writes nothing until it has read everything. */
export async function runReport(
  files: readonly string[],
  flags: ReportFlags,
  context: CliContext,
): Promise<void> {
  context.watchInterrupts?.();
  const out = flags.out ?? `${(files[0] ?? '').replace(/\.json$/, '')}.html`;
  await checkOutput(out, context);
  await writeReport(out, await buildPage(files, flags, context), context);
  context.stdout.write(`Report    ${out}\n`);
  if (flags.open === true) openInBrowser(path.resolve(context.cwd, out), context);
}

async function buildPage(
  files: readonly string[],
  flags: ReportFlags,
  context: CliContext,
): Promise<PageData> {
  const texts = await readTexts(files, context);
  texts.forEach((text, index) => {
    refusePageless(text, files[index] ?? '');
  });
  const [first = '', ...others] = texts;
  const kind = otherKindOf(first);
  refuseUnused(flags, others.length > 0 ? 'comparison' : (kind ?? 'run'), files);
  if (others.length > 0) {
    const names = files.map((file) => path.basename(file));
    const isTold = new Set(names).size === names.length;
    const runs = texts.map((text, index) => {
      const file = files[index] ?? '';
      const other = otherKindOf(text);
      if (other !== undefined) throw refuseBeside(other, file);
      return { name: isTold ? path.basename(file) : file, result: readResultJson(text, file) };
    });
    return buildComparison(runs);
  }
  const [file = ''] = files;
  const { significance } = flags;
  if (kind === 'sweep') {
    const sweep = readSweep(first, file);
    return buildSweepPage(sweep, await readJudgment(sweep.sweep, significance, context));
  }
  if (kind === 'walkForward') {
    const walk = readWalkForward(first, file);
    return buildWalkForwardPage(walk, await readJudgment(walk.walkForward, significance, context));
  }
  if (kind === 'audit') return buildAuditPage(readAudit(first, file));
  return buildRun(readResultJson(first, file), flags, context);
}

/** Reads the files one after the other: a comparison may have more files than the system lets a process open. */
async function readTexts(files: readonly string[], context: CliContext): Promise<string[]> {
  const texts: string[] = [];
  for (const file of files) {
    context.signal.throwIfAborted();
    texts.push(await readText(file, context));
  }
  return texts;
}

type PageKind = OtherKind | 'run' | 'comparison';

const OF_ONE_RUN = ['config', 'set', 'journal', 'audit'] as const;

/** @throws {UsageError} `E_USAGE` for an option that a page of that kind does not use. */
function refuseUnused(flags: ReportFlags, page: PageKind, files: readonly string[]): void {
  const refuse = (option: string, expected: string): never => {
    throw new UsageError(
      'E_USAGE',
      `--${option}: expected ${expected} beside it, received ${files.join(', ')}`,
    );
  };
  const unused = page === 'run' ? undefined : OF_ONE_RUN.find((name) => flags[name] !== undefined);
  if (unused !== undefined) refuse(unused, 'the result of one run');
  if (flags.significance !== undefined && page !== 'sweep' && page !== 'walkForward')
    refuse('significance', 'the document of a sweep or walk-forward');
}

function refuseBeside(kind: OtherKind, file: string): UsageError {
  return new UsageError(
    'E_USAGE',
    `${file}: expected a result of one run beside others, received that of ${KINDS[kind]}: report it alone`,
  );
}

const KINDS = { sweep: 'a sweep', audit: 'an audit', walkForward: 'a walk-forward' } as const;
type OtherKind = keyof typeof KINDS;

/** @throws {UsageError} `E_USAGE` if the judgment is of another strategy. */
async function readJudgment(
  { strategy }: { readonly strategy: string },
  file: string | undefined,
  context: CliContext,
): Promise<Significance | undefined> {
  if (file === undefined) return undefined;
  const found = readSignificance(await readText(file, context), file);
  if (found.strategy === strategy) return found;
  throw new UsageError(
    'E_USAGE',
    `--significance: expected a judgment of ${strategy}, received one of ${found.strategy}`,
  );
}

/** Documents without a page, by the key after their version, and the commands that write them. */
const PAGELESS: Readonly<Record<string, string>> = {
  crossValidation: 'walk-forward --cpcv',
  monteCarlo: 'monte-carlo',
  fuzz: 'fuzz',
  strategy: 'significance, which --significance adds to the page of its search',
};

/** @throws {UsageError} `E_USAGE` for a document that has no page. */
function refusePageless(text: string, file: string): void {
  const command = PAGELESS[firstKeyOf(text) ?? ''];
  if (command === undefined) return;
  throw new UsageError(
    'E_USAGE',
    `${file}: expected the document of backtest, sweep, walk-forward or audit, received that of ${command}`,
  );
}

/** Kind of a document that is no result; undefined for a result, and for text that is no JSON, which the reader of results refuses. */
function otherKindOf(text: string): OtherKind | undefined {
  const key = firstKeyOf(text) ?? '';
  return Object.hasOwn(KINDS, key) ? (key as OtherKind) : undefined;
}

/** The key after the version. A document is not parsed for it: a result may be large. */
function firstKeyOf(text: string): string | undefined {
  return /^\s*\{\s*"version":\s*\d+,\s*"(\w+)":/.exec(text.slice(0, 200))?.[1];
}

/** @throws {UsageError} `E_USAGE` if the audit is of another bot. */
async function readAuditOf({ run }: Result, file: string, context: CliContext): Promise<Audit> {
  const found = readAudit(await readText(file, context), file);
  const { strategy, parameters } = found.audit;
  const isOwn =
    strategy === run.strategy &&
    Object.entries(parameters).every(([name, value]) => run.parameters[name] === value);
  if (isOwn) return found;
  throw new UsageError(
    'E_USAGE',
    `--audit: expected one of ${run.strategy} with the parameters of the run, received one of ${strategy} with ${JSON.stringify(parameters)}`,
  );
}

async function buildRun(
  result: Result,
  { config, set, journal, audit: auditFile }: ReportFlags,
  context: CliContext,
): Promise<PageData> {
  const own = config === undefined ? { set } : { config, set };
  const reasons = journal === undefined ? [] : await explainIntents(journal, own, context);
  const audit = auditFile === undefined ? undefined : await readAuditOf(result, auditFile, context);
  if (config === undefined) return buildRunPage(result, { reasons, audit, noCandles: NO_CANDLES });
  const bot = await loadBot(config, context, set === undefined ? {} : { set });
  const market = await prepareMarket(bot.config, openRunArchive(bot.config.simulation.archive));
  try {
    const series = chartSeries(market);
    refuseOtherInstruments(result, series);
    // Only the hash of the data is used, so no strategy is loaded for the others.
    const inputs = { series: market.series, terms: market.terms.hash };
    const { data } = hashInputs(bot.config, inputs, '');
    const isOwn = data === result.run.dataHash;
    const extras: RunExtras = { series, reasons, audit, doubt: isOwn ? undefined : OTHER_CANDLES };
    return buildRunPage(result, extras);
  } finally {
    await market.close();
  }
}

function refuseOtherInstruments(
  { run }: Result,
  series: readonly { readonly instrument: string }[],
): void {
  const known = series.map(({ instrument }) => instrument);
  const missing = run.instruments.filter((instrument) => !known.includes(instrument));
  if (missing.length === 0) return;
  throw new UsageError(
    'E_USAGE',
    `--config: expected a bot that trades ${run.instruments.join(', ')}, received one of ${known.join(', ')}`,
  );
}
