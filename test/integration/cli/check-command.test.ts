import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../src/archive/index.js';
import { createInstrumentId } from '../../../src/domain/index.js';
import {
  botFolder,
  januaryCandles,
  SMA_SOURCE,
  withoutRows,
} from '../../support/cli/bot-folder.js';
import { botYaml } from '../../support/cli/bot-yaml.js';
import { runCommand } from '../../support/cli/command-runner.js';

const STORED = 'data/spot/BTCUSDT/1h.arrow';

/** A bot whose second instrument has candles only from minute 20,000 on. */
async function lateFolder(balances: string): Promise<string> {
  const yaml = botYaml('{ USDT: "10000" }', balances)
    .replace(
      'intervals: [1h] }',
      'intervals: [1min] }\n  - { product: spot, symbol: ETHUSDT, intervals: [1min] }',
    )
    .replace(
      '  rules:',
      '  rules:\n    ETHUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }',
    )
    .replace('from: 2025-01-01', 'from: 2025-01-02');
  const candles = januaryCandles('1min');
  const folder = await botFolder({ yaml, candles, interval: '1min' });
  const late = withoutRows(candles, 0, 25 * 1_440);
  await openArchive(path.join(folder, 'data')).merge(
    { instrumentId: createInstrumentId('spot', 'ETHUSDT'), interval: '1min', columns: late },
    { source: 'test', volumeUnit: 'base' },
  );
  return folder;
}

describe('check', () => {
  it('lists the parts of a bot if it finds nothing', async () => {
    const folder = await botFolder();

    const run = await runCommand(folder, ['check', 'bot.yaml']);

    expect(run).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: [
        'strategy    Sma from sma.strategy.ts',
        'types       checked',
        'parameter   fast 10 (a whole number from 2 to 200)',
        'parameter   slow 30 (a whole number from 3 to 400)',
        'check       spot:BTCUSDT not-tradable: tradable',
        'check       spot:BTCUSDT min-order-quantity: 0.00001 BTC',
        'check       spot:BTCUSDT min-order-money: 5 USDT',
        'check       spot:BTCUSDT insufficient-balance: what is free, costs included',
        "check       spot:BTCUSDT halted: the operator's command",
        "check       spot:BTCUSDT reduce-only: the operator's command",
        'check       spot:BTCUSDT degraded: all data fresh, all orders known',
        'data        spot:BTCUSDT 1h: 744 candles opening 2025-01-01T00:00:00Z to 2025-01-31T23:00:00Z, no gaps',
        'stops       1 pair: every 1.0 s',
        'run twice   715 candles from 2025-01-02T05:00:00Z to 2025-02-01T00:00:00Z: the same 28 orders and cancels',
        'warm-up     spot:BTCUSDT 1h: 31 candles, of which 29 until the first values; the venue serves them',
        'calls       at most 1 a minute of spot.klines, 1 on average, of 600 allowed',
        'calls       at most 30 a minute of spot.openOrders, 30 on average, of 600 allowed',
        'calls       at most 1 a minute of spot.order, 0 on average, of 3,000 allowed',
        'nothing found',
        '',
      ].join('\n'),
    });
  });

  it('estimates the polls of all named bots, and writes a list of them', async () => {
    const venue = 'venue: { spotUrl: "http://127.0.0.1:8480", keyEnv: KEY, secretEnv: SECRET }\n';
    const yaml = botYaml('simulation:', `${venue}live: { staleAfterMs: 1000 }\nsimulation:`);
    const folder = await botFolder({ yaml });
    await writeFile(path.join(folder, 'b.yaml'), yaml.replace('sma-crossover-btc', 'b'));

    const run = await runCommand(folder, ['check', 'bot.yaml', 'b.yaml']);
    const written = await runCommand(folder, ['check', 'bot.yaml', 'b.yaml', '--json', '-']);

    expect(run.exitCode).toBe(0);
    expect(run.stdout.split('\n').filter((line) => line.startsWith('budget'))).toEqual([
      'budget      spot.klines: 1 call per minute, the last candle of a close within 0.3 s, of at most 300 and 1 s',
      'budget      spot.time: 1 call per minute, of at most 300 and 1 s',
    ]);
    expect(JSON.parse(written.stdout)).toMatchObject([
      { name: 'sma-crossover-btc', budgets: [] },
      { name: 'b', budgets: [{ name: 'spot.klines' }, { name: 'spot.time' }] },
    ]);
  });

  it('finds an interval that the venue of the bot does not serve', async () => {
    const longer = botYaml('intervals: [1h]', 'intervals: [1h, 4h]');
    const venue = 'venue: { spotUrl: "http://127.0.0.1:8480" }\nsimulation:';
    const folder = await botFolder({ yaml: longer });
    await writeFile(path.join(folder, 'venue.yaml'), botYaml('simulation:', venue, longer));

    const backtest = await runCommand(folder, ['check', 'bot.yaml']);
    const live = await runCommand(folder, ['check', 'venue.yaml']);

    expect(backtest.exitCode).toBe(0);
    expect(backtest.stdout).toContain(
      'the venue does not serve this interval: only a backtest has it\n',
    );
    expect(live.exitCode).toBe(3);
    expect(live.stdout).toContain(
      'instruments.0.intervals.1: expected an interval that the venue serves (1min, 5min, 15min, 30min, 1h, 1day, 1week, 1month), received 4h (E_CONFIG_VALUE)\n',
    );
  });

  it('lists active protections among the limits of the venue, and reports those without effect', async () => {
    const protections =
      'risk: { maxPositionNotional: "5000", maxDailyLoss: "200", fundingBlock: { before: 5min, after: 1min } }';
    const folder = await botFolder({ yaml: botYaml('simulation:', `${protections}\nsimulation:`) });

    const run = await runCommand(folder, ['check', 'bot.yaml']);

    expect(run.exitCode).toBe(3);
    const lines = run.stdout.split('\n').filter((line) => /^(?:check|finding) /.test(line));
    expect(lines).toEqual([
      'check       spot:BTCUSDT not-tradable: tradable',
      'check       spot:BTCUSDT min-order-quantity: 0.00001 BTC',
      'check       spot:BTCUSDT min-order-money: 5 USDT',
      'check       spot:BTCUSDT insufficient-balance: what is free, costs included',
      'check       spot:BTCUSDT halted: maxDailyLoss 200',
      "check       spot:BTCUSDT reduce-only: the operator's command",
      'check       spot:BTCUSDT degraded: all data fresh, all orders known',
      'check       spot:BTCUSDT funding-block: 300000 ms before to 60000 ms after funding',
      'check       spot:BTCUSDT max-position-notional: 5000 per position',
      'finding     bot.yaml:7:59 risk.fundingBlock: expected an instrument of futures beside fundingBlock, received none, so it has no effect (E_CONFIG_IDLE)',
    ]);
  });

  it('reports type errors of the plugin and its imports, with which a backtest still runs', async () => {
    const folder = await botFolder({
      plugin: `import { half } from './half.js';\n${SMA_SOURCE}export const x: string = half(3);\n`,
    });
    await writeFile(
      path.join(folder, 'half.ts'),
      'export function half(a: number): number {\n  return a.lenght / 2;\n}\n',
    );

    const check = await runCommand(folder, ['check', 'bot.yaml']);
    const backtest = await runCommand(folder, ['backtest', 'bot.yaml']);

    expect(check.exitCode).toBe(3);
    expect(check.stdout.split('\n').filter((line) => line.startsWith('finding '))).toEqual([
      expect.stringMatching(/^finding {5}half\.ts:2:12: TS2339: .*lenght.* \(E_PLUGIN_TYPE\)$/),
      expect.stringMatching(/^finding {5}sma\.strategy\.ts:11:14: TS2322: .* \(E_PLUGIN_TYPE\)$/),
    ]);
    expect(backtest.exitCode).toBe(0);
  });

  it('is as strict as the nearest tsconfig.json', async () => {
    const folder = await botFolder({ plugin: `${SMA_SOURCE}export const f = (x) => x;\n` });

    const strict = await runCommand(folder, ['check', 'bot.yaml']);
    await writeFile(
      path.join(folder, 'tsconfig.json'),
      '{ "compilerOptions": { "strict": false, "rootDir": "." } }',
    );
    const lax = await runCommand(folder, ['check', 'bot.yaml']);

    expect(strict.stdout).toContain('sma.strategy.ts:10:19: TS7006');
    expect(strict.exitCode).toBe(3);
    expect(lax.stdout).toContain('nothing found');
  });

  it('notes that JavaScript has no types', async () => {
    const folder = await botFolder({ yaml: botYaml('sma.strategy.ts', 'sma.strategy.mjs') });
    const source = SMA_SOURCE.replace('override onCandle(): void', 'onCandle()').replaceAll(
      'readonly ',
      '',
    );
    await writeFile(path.join(folder, 'sma.strategy.mjs'), source);

    const run = await runCommand(folder, ['check', 'bot.yaml']);

    expect(run.stdout).toContain('types       JavaScript has none\n');
    expect(run.exitCode).toBe(0);
  });

  it('reports every missing series at the key that requires it', async () => {
    const folder = await botFolder({ yaml: botYaml('[1h]', '[1h, 1min, 3min]') });

    const run = await runCommand(folder, ['check', 'bot.yaml']);

    expect(run.exitCode).toBe(3);
    expect(run.stdout).toContain(
      'finding     bot.yaml:6:55 instruments.0.intervals.1: expected stored candles of spot:BTCUSDT 1min, received none; the archive holds spot:BTCUSDT 1h (E_DATA_MISSING)\n' +
        'finding     bot.yaml:6:61 instruments.0.intervals.2: expected stored candles of spot:BTCUSDT 3min, received none; the archive holds spot:BTCUSDT 1h (E_DATA_MISSING)\n' +
        'findings: 2; 1 check was not done: run twice\n',
    );
  });

  it('reports gaps longer than simulation.maxGap, and counts the others', async () => {
    const candles = withoutRows(withoutRows(januaryCandles(), 300, 301), 100, 104);
    const folder = await botFolder({
      candles,
      yaml: botYaml('  archive: data', '  archive: data\n  maxGap: 3h'),
    });

    const run = await runCommand(folder, ['check', 'bot.yaml']);

    expect(run.exitCode).toBe(3);
    // 744 − 4 − 1 candles; hour 100 is 2025-01-05T04:00.
    expect(run.stdout).toContain('739 candles opening');
    expect(run.stdout).toContain('gaps: 2, missing: 5\n');
    expect(run.stdout).toContain(
      'finding     bot.yaml:9:3 simulation.maxGap: expected no gap longer than "3h", received 1h candles missing from 2025-01-05T04:00:00Z to 2025-01-05T08:00:00Z (E_DATA_GAP)\nfindings: 1; 1 check was not done: run twice\n',
    );
  });

  it('compares files with their checksums', async () => {
    const folder = await botFolder();
    const file = path.join(folder, STORED);
    const bytes = await readFile(file);
    const end = bytes.length - 2_000;
    // Low bits of a volume: a tiny change that no rule about candles notices.
    bytes.writeUInt8(bytes.readUInt8(end) ^ 1, end);
    await writeFile(file, bytes);

    const check = await runCommand(folder, ['check', 'bot.yaml']);

    expect(check.exitCode).toBe(3);
    expect(check.stdout).toMatch(
      /finding {5}.*1h\.arrow is .*\(E_DATA_\w+\)\nfindings: 1; 1 check was not done: run twice\n$/,
    );
  });

  it('reports a balance without a value even if the first candles cannot be run', async () => {
    const folder = await lateFolder('{ USDT: "10000", SOL: "1" }');

    const run = await runCommand(folder, ['check', 'bot.yaml']);

    expect(run.exitCode).toBe(3);
    expect(run.stdout).toContain(
      'run twice   not done: a backtest cannot start\nfinding     bot.yaml:12:30 simulation.balances.SOL: expected an asset that an instrument values in USDT, received SOL; add an instrument that trades SOL for USDT, or leave SOL out (E_EQUITY_CURRENCY)\n',
    );
  });

  it('runs a period in which all series have begun', async () => {
    const folder = await lateFolder('{ USDT: "10000" }');

    const run = await runCommand(folder, ['check', 'bot.yaml']);

    expect(run.stdout).toMatch(/run twice {3}\d+ candles from 2025-01-26/);
    expect(run.exitCode).toBe(0);
  });

  it.skipIf(process.platform !== 'linux')(
    'runs if the cache folder cannot be written',
    async () => {
      const folder = await botFolder();

      const run = await runCommand(folder, ['check', 'bot.yaml'], {
        env: { XDG_CACHE_HOME: '/proc/nowhere' },
      });

      expect(run.exitCode).toBe(0);
    },
  );

  it('prints JSON with --json, and still ends with 3', async () => {
    const folder = await botFolder({ candles: 'none' });

    const run = await runCommand(folder, ['check', 'bot.yaml', '--json', '-']);

    expect(run.exitCode).toBe(3);
    expect(JSON.parse(run.stdout)).toMatchObject({
      name: 'sma-crossover-btc',
      strategy: 'Sma',
      types: { status: 'checked' },
      parameters: { fast: { value: 10, expected: 'a whole number from 2 to 200' } },
      data: [],
      findings: [expect.stringContaining('(E_DATA_MISSING)')],
    });
  });

  it('ends with 2 if the config is invalid', async () => {
    const folder = await botFolder();
    await appendFile(path.join(folder, 'bot.yaml'), 'nmae: x\n');
    await mkdir(path.join(folder, 'out'));

    const run = await runCommand(folder, ['check', 'bot.yaml', '--json', 'out/check.json']);

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('did you mean "name"?');
    await expect(readFile(path.join(folder, 'out/check.json'))).rejects.toThrow('ENOENT');
  });
});
