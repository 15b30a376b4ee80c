import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { botFolder } from '../../support/cli/bot-folder.js';
import { botYaml } from '../../support/cli/bot-yaml.js';
import { runCommand, type CommandRun } from '../../support/cli/command-runner.js';

// The exact texts of commands that find a mistake. Refused intents: refusal-messages.test.ts; failing strategies: strategy-messages.test.ts.

/** A plugin without parameters; its members begin in line 3, at column 3. */
const plugin = (...members: readonly string[]): string =>
  `import { CandleStrategy } from 'evenkeel';
export class Sma extends CandleStrategy() {
${members.map((member) => `  ${member}`).join('\n')}
}
`;

const PLAIN = botYaml('  parameters: { fast: 10, slow: 30 }\n', '');
const NOTHING = plugin('override onCandle(): void {}');
const spot = '--product spot --symbol BTCUSDT'.split(' ');

interface Case {
  readonly what: string;
  readonly argv: readonly string[];
  readonly yaml?: string;
  readonly source?: string;
  /** Files beside the bot. */
  readonly files?: Readonly<Record<string, string>>;
  readonly exitCode: number;
  /** All of stderr, or its lines. `<folder>` stands for the folder of the bot. */
  readonly stderr?: readonly string[];
  /** Lines that stdout contains, among others. */
  readonly findings?: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: '3: a run with an async onCandle',
    argv: ['backtest', 'bot.yaml'],
    source: plugin("async onCandle() { await undefined; this.enterLong({ equity: '0.5' }); }"),
    exitCode: 1,
    stderr: [
      "Sma: onCandle returned a promise, which does not follow the engine's clock: make it a plain method, without async and await (while processing candles spot:BTCUSDT 1h at 2025-01-01T01:00:00Z) (E_STRATEGY_PROMISE)",
    ],
  },
  {
    what: '3: check of an async onCandle',
    argv: ['check', 'bot.yaml'],
    source: plugin('async onCandle() { await undefined; }'),
    exitCode: 3,
    findings: [
      "finding     sma.strategy.ts:3:3: makes a promise, which does not follow the engine's clock (async onCandle): stay within RxJS and the candle hooks (E_PLUGIN_PROMISE)",
      "finding     Sma: onCandle returned a promise, which does not follow the engine's clock: make it a plain method, without async and await (while processing candles spot:BTCUSDT 1h at 2025-01-01T01:00:00Z) (E_STRATEGY_PROMISE)",
    ],
  },
  ...(['check', 'backtest', 'parity'] as const).map((command) => ({
    what: `12: ${command} without a balance`,
    argv: [command, 'bot.yaml'],
    yaml: PLAIN.replace('  balances: { USDT: "10000" }\n', ''),
    exitCode: 2,
    stderr: [
      'bot.yaml:6:1 simulation.balances: expected a mapping of assets to amounts, received nothing (E_CONFIG_MISSING)',
    ],
  })),
  {
    what: '12: backtest with a balance that nothing values',
    argv: ['backtest', 'bot.yaml'],
    yaml: PLAIN.replace('"10000" }', '"10000", SOL: "1" }'),
    exitCode: 2,
    stderr: [
      'bot.yaml:10:30 simulation.balances.SOL: expected an asset that an instrument values in USDT, received SOL; add an instrument that trades SOL for USDT, or leave SOL out (E_EQUITY_CURRENCY)',
    ],
  },
  {
    what: '12: check of the same',
    argv: ['check', 'bot.yaml'],
    yaml: PLAIN.replace('"10000" }', '"10000", SOL: "1" }'),
    exitCode: 3,
    findings: [
      'finding     bot.yaml:10:30 simulation.balances.SOL: expected an asset that an instrument values in USDT, received SOL; add an instrument that trades SOL for USDT, or leave SOL out (E_EQUITY_CURRENCY)',
      'findings: 1; 1 check was not done: run twice',
    ],
  },
  {
    what: '15: an import into a folder that cannot be made',
    argv: ['data', 'import', 'rows.csv', ...spot, '--interval', '1h', '--archive', 'file/sub'],
    files: {
      file: '',
      'rows.csv': 'time_ms,open,high,low,close,volume\n1735689600000,1,1,1,1,1\n',
    },
    exitCode: 1,
    stderr: [
      'cannot write <folder>/file/sub/spot/BTCUSDT/1h.arrow: a part of its path is a file, not a folder (E_DATA_WRITE)',
    ],
  },
  {
    what: '15: a missing archive',
    argv: ['backtest', 'bot.yaml'],
    yaml: PLAIN.replace('archive: data', 'archive: dta'),
    exitCode: 2,
    stderr: [
      'bot.yaml:7:3 simulation.archive: expected a folder of stored candles, received <folder>/dta; there is no such folder: "data import" or "data synth" fill one, and --set simulation.archive=DIR names another (E_DATA_ARCHIVE)',
    ],
  },
  ...[
    {
      line: 'product: spot',
      written: 'product: spto',
      says: '5:7 instruments.0.product: expected one of spot, margin, futures, received "spto"; did you mean "spot"? (E_CONFIG_VALUE)',
    },
    {
      line: 'intervals: [1h] }',
      written: 'intervals: [1h], leverage: 3 }',
      says: '5:56 instruments.0.leverage: expected one of product, symbol, intervals, base, quote, readOnly, received "leverage"; "leverage" goes with product: margin or futures only (E_CONFIG_KEY)',
    },
    {
      line: 'symbol: BTCUSDT',
      written: 'symbol: BTCUSTD',
      says: '5:22 instruments.0.symbol: expected a symbol that names its base and quote, received "BTCUSTD"; did you mean "BTCUSDT"? Otherwise add the keys base and quote (E_CONFIG_PAIR)',
    },
    {
      line: '[1h]',
      written: '[1m]',
      says: '5:51 instruments.0.intervals.0: expected one of 1min, 3min, 5min, 15min, 30min, 1h, 2h, 4h, 6h, 8h, 12h, 1day, 1week, 1month, received "1m"; did you mean "1min"? (E_CONFIG_VALUE)',
    },
  ].map(({ line, written, says }) => ({
    what: `15: ${written}`,
    argv: ['backtest', 'bot.yaml'],
    yaml: botYaml(line, written, PLAIN),
    exitCode: 2,
    stderr: [`bot.yaml:${says}`],
  })),
  {
    what: '17: a throw in a strategy',
    argv: ['backtest', 'bot.yaml'],
    source: plugin('override onCandle(): void {', "  throw new RangeError('no idea');", '}'),
    exitCode: 1,
    stderr: [
      'sma.strategy.ts:4:11: Sma: no idea (while processing candles spot:BTCUSDT 1h at 2025-01-01T01:00:00Z) (E_STRATEGY_FAILED)',
    ],
  },
];

async function tell({
  argv,
  yaml = PLAIN,
  source = NOTHING,
  files = {},
}: Case): Promise<CommandRun> {
  const folder = await botFolder({ yaml, plugin: source });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const run = await runCommand(folder, argv);
  return { ...run, stderr: run.stderr.replaceAll(folder, '<folder>') };
}

describe('the message of a command', () => {
  it.each(CASES)('$what', async (one) => {
    const run = await tell(one);

    expect(run.exitCode).toBe(one.exitCode);
    expect(run.stderr.split('\n').filter((line) => line !== '')).toEqual(one.stderr ?? []);
    expect(run.stdout.split('\n')).toEqual(expect.arrayContaining([...(one.findings ?? [])]));
  });
});
