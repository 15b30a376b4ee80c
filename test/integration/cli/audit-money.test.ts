import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatFixed, parseFixed } from '../../../src/domain/index.js';
import { parseResult, type Result } from '../../../src/report/index.js';
import { auditSchema, type Audit } from '../../../src/research/index.js';
import { botFolder } from '../../support/cli/bot-folder.js';
import { runCommand, type CommandRun } from '../../support/cli/command-runner.js';
import { auditFolder } from '../../support/research/audit-folder.js';
import { createAuditRunner } from '../../support/research/audit-runners.js';

/** Ten days, enough for each rule to make a difference. */
const RANGE = ['--from', '2025-01-22'];

const audit = (folder: string, ...args: readonly string[]): Promise<CommandRun> =>
  runCommand(folder, ['audit', 'bot.yaml', ...RANGE, ...args], { createAuditRunner });

const parse = (text: string): Audit => auditSchema.parse(JSON.parse(text));

/** Two labels, two guards and a parameter, each of which makes a difference. */
const MANY_RULES = `import { CandleStrategy, int, type Candle } from 'evenkeel';
export class Rules extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) {
  override onCandle({ instrumentId: instrument, open, close }: Candle): void {
    const fall = (open - close) / open;
    if (fall > 0.0005 * this.parameters.fast)
      this.enterLong({ equity: '0.3' }, { instrument, label: 'dip', protection: { stopLoss: { ratio: '0.01' } } });
    if (fall < -0.006)
      this.enterLong({ notional: '1000' }, { instrument, label: 'rise', protection: { takeProfit: { ratio: '0.01' } } });
    else if (fall < -0.002) this.exit({ instrument });
  }
}
`;

/** Backtests the bot with another plugin. */
async function backtest(
  folder: string,
  plugin: string,
  settings: readonly string[],
): Promise<Result> {
  await writeFile(path.join(folder, 'sma.strategy.ts'), plugin);
  const set = settings.flatMap((setting) => ['--set', setting]);
  const run = await runCommand(folder, ['backtest', 'bot.yaml', ...RANGE, '--json', '-', ...set]);
  return parseResult(run.stdout, 'result');
}

describe('audit of rules', () => {
  it('shows the result of a backtest without each rule', async () => {
    const folder = await auditFolder(MANY_RULES);
    const limit = 'risk.maxOpenPositions=1';

    const run = await audit(folder, '--only', 'ablation', '--set', limit, '--json', '-');

    const final = async (plugin: string, ...settings: readonly string[]): Promise<string> =>
      (await backtest(folder, plugin, settings)).equity.final;
    const without = (part: string): Promise<string> => {
      expect(MANY_RULES).toContain(part);
      return final(MANY_RULES.replace(part, ''), limit);
    };
    const only = MANY_RULES.replace(
      '  const',
      "  if (instrument === 'spot:ETHUSDT') return;\n  const",
    );
    const { rows = [], finalEquity = '' } = parse(run.stdout).ablation ?? {};
    expect(finalEquity).toBe(await final(MANY_RULES, limit));
    const found = rows.map(({ kind, name, value, money }) => [
      value === null ? `${kind} ${name}` : `${name} ${String(value)}`,
      money?.finalEquity,
    ]);
    expect(found.filter(([name]) => name !== 'instrument spot:BTCUSDT')).toEqual([
      [
        'label dip',
        await without(
          "this.enterLong({ equity: '0.3' }, { instrument, label: 'dip', protection: { stopLoss: { ratio: '0.01' } } })",
        ),
      ],
      [
        'label rise',
        await without(
          "this.enterLong({ notional: '1000' }, { instrument, label: 'rise', protection: { takeProfit: { ratio: '0.01' } } })",
        ),
      ],
      ['guard stopLoss', await without("stopLoss: { ratio: '0.01' }")],
      ['guard takeProfit', await without("takeProfit: { ratio: '0.01' }")],
      ['instrument spot:ETHUSDT', await final(only, limit)],
      ['protection maxOpenPositions', await final(MANY_RULES)],
      ['fast 9', await final(MANY_RULES, limit, 'strategy.parameters.fast=9')],
      ['fast 11', await final(MANY_RULES, limit, 'strategy.parameters.fast=11')],
      ['slow 29', finalEquity],
      ['slow 31', finalEquity],
    ]);
    // Each change has its own effect on the equity. Only the unused parameter has none.
    expect(new Set(found.map(([, equity]) => equity)).size).toBe(rows.length - 1);
    for (const { money } of rows)
      expect(parseFixed(money?.difference ?? '') + parseFixed(finalEquity)).toBe(
        parseFixed(money?.finalEquity ?? ''),
      );
  });

  it('is part of the report of a run of the same bot, or a report of its own', async () => {
    const folder = await botFolder();
    await audit(folder, '--only', 'order,ablation', '--json', 'audit.json');
    const backtests = [
      ['--json', 'run.json'],
      ['--json', 'other.json', '--set', 'strategy.parameters.fast=11'],
    ];
    for (const flags of backtests)
      await runCommand(folder, ['backtest', 'bot.yaml', ...RANGE, ...flags]);
    const pageOf = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
      const run = await runCommand(folder, ['report', ...args, '--out', 'page.html']);
      expect(run).toMatchObject({ exitCode: 0, stderr: '' });
      const text = await readFile(path.join(folder, 'page.html'), 'utf8');
      const data = /id="data">(.*?)<\/script>/s.exec(text)?.[1] ?? '';
      return JSON.parse(data) as Record<string, unknown>;
    };

    const [alone, plain] = [await pageOf('audit.json'), await pageOf('run.json')];
    const beside = await pageOf('run.json', '--audit', 'audit.json');
    const other = await runCommand(folder, ['report', 'other.json', '--audit', 'audit.json']);
    const mixed = await runCommand(folder, ['report', 'run.json', 'audit.json']);

    expect(alone['title']).toEqual([
      expect.stringMatching(/^Sma, fast 10, slow 30, /),
      '9 backtests, seed 1',
    ]);
    expect(alone['audit']).toEqual({
      proofs: [
        {
          label: 'Order',
          lines: ['not done: no two instruments have candles at the same instants'],
          tone: 'plain',
        },
      ],
      tables: [
        expect.objectContaining({
          name: 'Ablation',
          head: ['switched off or changed', '', 'difference', 'orders', 'trades'],
          rows: expect.arrayContaining([
            [
              'parameter',
              'fast 9',
              expect.stringMatching(/ USDT$/),
              expect.any(String),
              expect.any(String),
            ],
          ]) as unknown,
        }) as unknown,
      ],
    });
    expect([plain['audit'], beside['audit']]).toEqual([undefined, alone['audit']]);
    expect([other.exitCode, other.stderr]).toEqual([
      2,
      '--audit: expected one of Sma with the parameters of the run, received one of Sma with {"fast":10,"slow":30} (E_USAGE)\n',
    ]);
    expect([mixed.exitCode, mixed.stderr]).toEqual([2, expect.stringContaining('of an audit')]);
  });

  it('omits labels that name single orders', async () => {
    const plugin = MANY_RULES.replace("'dip'", '`dip at ${String(close)}`').replace('0.0005', '0');
    const folder = await auditFolder(plugin);

    const run = await audit(folder, '--only', 'ablation', '--json', '-');

    const { rows = [], note } = parse(run.stdout).ablation ?? {};
    expect(note).toMatch(/^\d{3} labels are more than 100: /);
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(
      new Set(['guard', 'instrument', 'parameter']),
    );
  });

  it('prints what the rules earn, and how large the bot can become', async () => {
    const run = await audit(await botFolder(), '--only', 'ablation,capacity');

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(
      /^Ablation {4}final equity [\d,.]+ USDT, and the difference to it$/m,
    );
    expect(run.stdout).toMatch(/^parameter +fast 9 +-?[\d,.]+ USDT +\d+ +\d+$/m);
    expect(run.stdout).toMatch(
      /^Capacity {4}\w.* profit .*; at most 10.00 % of the volume of a candle, impact 0/m,
    );
    expect(run.stdout).toMatch(/^× 1,000 +10,000,000.00 USDT +-?[\d,.]+ USDT +-?[\d.]+ %/m);
  });
});

describe('audit of sizes', () => {
  it('shows the result of a backtest of a larger account', async () => {
    const folder = await auditFolder(MANY_RULES);

    const run = await audit(folder, '--only', 'capacity', '--json', '-');

    const { rows, impact, participation, gone, most } = parse(run.stdout).capacity as NonNullable<
      Audit['capacity']
    >;
    expect(rows.map(({ times }) => times)).toEqual([1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]);
    expect([participation, Number(impact)]).toEqual(['0.1', expect.closeTo(0.006, 2)]);
    const larger = MANY_RULES.replace("notional: '1000'", "notional: '5000'");
    const { equity, orders } = await backtest(folder, larger, [
      'simulation.balances.USDT="50000"',
      `simulation.slippage={ model: squareRoot, coefficient: "${impact}" }`,
    ]);
    expect(rows[2]?.money).toMatchObject({
      initialEquity: '50000',
      profit: formatFixed(parseFixed(equity.final) - parseFixed('50000')),
      orders: orders.length,
    });
    const profits = rows.map(({ money }) => Number(money?.profit));
    expect(gone).toBe(rows[profits.findIndex((profit) => profit <= 0)]?.times ?? null);
    const top = Math.max(...profits);
    expect(most).toBe(top > 0 ? rows[profits.indexOf(top)]?.times : null);
  });
});
