import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownCommand } from '../../../src/cli/own-command.js';
import { parseResult, type Result } from '../../../src/report/index.js';
import { describeStretches, fuzzSchema, type Fuzz } from '../../../src/research/index.js';
import { botFolder } from '../../support/cli/bot-folder.js';
import { BOT_YAML, botYaml } from '../../support/cli/bot-yaml.js';
import { runCommand, type CommandRun } from '../../support/cli/command-runner.js';
import { FLAWS } from '../../support/research/fuzz-flaws.js';

const fuzz = (folder: string, ...args: readonly string[]): Promise<CommandRun> =>
  runCommand(folder, ['fuzz', 'bot.yaml', ...args]);

const parse = (text: string): Fuzz => fuzzSchema.parse(JSON.parse(text));

const backtest = async (folder: string, kept: string): Promise<Result> => {
  const run = await runCommand(folder, ['backtest', `${kept}/config.yaml`, '--json', '-']);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  return parseResult(run.stdout, 'result');
};

const onlyViolation = ({ violations }: Fuzz): Fuzz['violations'][number] => {
  expect(violations).toHaveLength(1);
  return violations[0] as Fuzz['violations'][number];
};

const CONTRACT =
  'product: futures, leverage: 10, marginMode: isolated, multiplier: "0.01", symbol: E-BTC-USDT';

/** Buys and sells everything in turn, whatever the market does. */
const RESTLESS = `import { CandleStrategy, int } from 'evenkeel';
export class Restless extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) {
  override onCandle({ instrumentId }): void {
    if (this.positionOf(instrumentId).quantity.isZero()) this.enterLong({ equity: '0.3' }, { instrument: instrumentId });
    else this.exit({ instrument: instrumentId });
  }
}
`;

describe('a strategy with a flaw', () => {
  it.each(Object.entries(FLAWS))('is detected if it %s', async (_name, { plugin, law, needs }) => {
    const folder = await botFolder({ plugin, candles: 'none' });

    const laws = law === undefined ? [] : ['--law', law.text];
    const run = await fuzz(folder, ...laws, '--runs', '40', '--candles', '60', '--json', '-');

    expect(run).toMatchObject({ exitCode: 3, stderr: '' });
    const { candles, markets, value, failed, kept } = onlyViolation(parse(run.stdout));
    expect(candles).toBeLessThanOrEqual(40);
    expect(describeStretches(markets[0]?.stretches ?? [])).toMatch(needs);
    if (law === undefined) {
      const again = await runCommand(folder, ['backtest', `${kept}/config.yaml`]);
      expect(again).toEqual({ exitCode: 1, stdout: '', stderr: `${failed?.message ?? ''}\n` });
    } else {
      const result = await backtest(folder, kept);
      expect(result.run.candles).toBeLessThanOrEqual(candles);
      expect(law.valueOf(result)).toBeCloseTo(value ?? Number.NaN, 4);
    }
  });
});

describe('fuzz', () => {
  it('prints which laws held or broke, and writes the same files again', async () => {
    const { plugin } = FLAWS['buys more and more while nothing moves'] as { plugin: string };
    const folder = await botFolder({ plugin });
    const args = ['--runs', '20', '--law', 'position value < 450', '--law', 'fees<100'];

    const [one, two] = [await fuzz(folder, ...args), await fuzz(folder, ...args, '--out', 'again')];

    expect(one.stderr).toBe('');
    expect(one.stdout.replace(/-[0-9a-f]{8}/, '-HASH').replace(/; \d+ /, '; N ')).toBe(
      [
        'Flawed, fast 10, slow 30',
        '20 histories of at most 200 candles of 1h, seed 1; N backtests',
        '',
        'no failure            held',
        'position value < 450  broken: 598.81367',
        '  history 1, made smaller 7 times: 4 candles',
        '  4 candles flat',
        `  ${ownCommand(folder)} backtest fuzz/position-value-HASH/config.yaml`,
        'fees < 100            held',
        '',
      ].join('\n'),
    );
    expect(two.stdout).toBe(one.stdout.replace('backtest fuzz/', 'backtest again/'));
    const filesOf = async (place: string): Promise<readonly string[]> => {
      const found = await readdir(path.join(folder, place), {
        recursive: true,
        withFileTypes: true,
      });
      const files = found.filter((entry) => entry.isFile());
      return Promise.all(
        files.map(
          async ({ parentPath, name }) =>
            `${name} ${await readFile(path.join(parentPath, name), 'base64')}`,
        ),
      );
    };
    const kept = await filesOf('fuzz');
    expect(kept).toHaveLength(4);
    expect(await filesOf('again')).toEqual(kept);
  });

  it('draws other histories with another seed', async () => {
    const folder = await botFolder({ plugin: RESTLESS, candles: 'none' });
    const args = ['--runs', '20', '--candles', '60', '--law', 'drawdown < 3 %', '--json', '-'];

    const one = parse((await fuzz(folder, ...args)).stdout);
    const other = parse((await fuzz(folder, ...args, '--seed', '2')).stdout);

    expect(onlyViolation(one).value).toBeGreaterThanOrEqual(0.03);
    expect(onlyViolation(other).kept).not.toBe(onlyViolation(one).kept);
  });

  it('starts at the stored price, with quiet candles to warm the strategy up', async () => {
    const folder = await botFolder();

    const run = await fuzz(folder, '--runs', '10', '--law', 'fills < 2', '--json', '-');

    const document = parse(run.stdout);
    const { kept, candles } = onlyViolation(document);
    // The slower average has its first value at candle 30, and a cross compares two values.
    expect(document.fuzz.lead).toBeGreaterThanOrEqual(31);
    const result = await backtest(folder, kept);
    expect(result.fills).toHaveLength(2);
    expect(result.run.candles).toBeLessThanOrEqual(candles);
    expect(Number(result.fills[0]?.price)).toBeGreaterThan(10_000);
  });

  it('draws a market for each instrument, and makes longer candles from the drawn ones', async () => {
    const yaml = botYaml(
      '  - { product: spot, symbol: BTCUSDT, intervals: [1h] }',
      '  - { product: spot, symbol: BTCUSDT, intervals: [4h, 1h] }\n  - { product: spot, symbol: ETHUSDT, intervals: [4h] }',
    ).replace('  rules:', '  rules:\n    ETHUSDT: { pricePrecision: 2, quantityPrecision: 5 }');
    const folder = await botFolder({ plugin: RESTLESS, yaml, candles: 'none' });

    const run = await fuzz(folder, '--runs', '5', '--law', 'orders < 8', '--json', '-');

    const document = parse(run.stdout);
    const { kept, value, markets } = onlyViolation(document);
    expect([document.fuzz.interval, markets.map(({ instrument }) => instrument)]).toEqual([
      '1h',
      ['spot:BTCUSDT', 'spot:ETHUSDT'],
    ]);
    expect((await backtest(folder, kept)).orders).toHaveLength(value ?? -1);
  });

  it('runs contracts whose margin can run out', async () => {
    const yaml = BOT_YAML.replace('product: spot, symbol: BTCUSDT', CONTRACT)
      .replace('USDT: "10000"', 'futures:USDT: "10000"')
      .replace('BTCUSDT: {', 'E-BTC-USDT: {')
      .replace('quantityPrecision: 5', 'quantityPrecision: 0');
    const plugin = `import { CandleStrategy, int } from 'evenkeel';
export class Bold extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) {
  override onCandle(): void {
    this.enterLong({ equity: '8' });
  }
}
`;
    const folder = await botFolder({ plugin, yaml, candles: 'none' });

    const run = await fuzz(folder, '--runs', '10', '--law', 'liquidations = 0', '--json', '-');

    const { kept, value } = onlyViolation(parse(run.stdout));
    const { orders } = await backtest(folder, kept);
    expect(orders.filter(({ cause }) => cause === 'liquidation')).toHaveLength(value ?? -1);
  });

  it('ends with 0 if it finds nothing, and notes that no order is filled in part', async () => {
    const yaml = botYaml('  fees:', '  participation: off\n  fees:');
    const folder = await botFolder({ plugin: RESTLESS, yaml, candles: 'none' });

    const run = await fuzz(folder, '--runs', '5', '--law', 'residual = 0');

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toContain(
      'note: without simulation.participation no order is filled in part',
    );
    await expect(readdir(path.join(folder, 'fuzz'))).rejects.toThrow('ENOENT');
  });

  it.each([
    ['drawdwn < 0.2', 'expected one of drawdown, return,'],
    ['drawdown ~ 0.2', 'expected a figure, an operator and a number'],
    ['drawdown <> 0.2', 'expected one of < <= > >= = !=, received "<>"'],
    ['drawdown < much', 'expected a number, as in 0.2, received "much"'],
    ['orders < 5 %', 'expected a number without %, because orders is not a share, received "5 %"'],
  ])('refuses the law %j', async (law, message) => {
    const run = await fuzz('/', '--law', law);

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(message);
    expect(run.stderr).toContain('(E_FUZZ_LAW)');
  });

  it('refuses a strategy whose warm-up is too long for many runs', async () => {
    const plugin = `import { CandleStrategy, int, sma } from 'evenkeel';
export class Old extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) {
  override readonly warmup = 30_000;
}
`;
    const run = await fuzz(await botFolder({ plugin, candles: 'none' }));

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/at most 20000 candles of 1h, received 30001;.*\(E_FUZZ_CANDLES\)/);
  });

  it('ends with 130 when it is interrupted', async () => {
    const interrupt = new AbortController();
    const folder = await botFolder({ plugin: RESTLESS, candles: 'none' });

    const running = runCommand(folder, ['fuzz', 'bot.yaml'], {
      signal: interrupt.signal,
      watchInterrupts: () => {
        interrupt.abort(new Error('interrupted'));
      },
    });

    expect(await running).toEqual({ exitCode: 130, stdout: '', stderr: 'interrupted\n' });
  });

  it('refuses a place to which it cannot write its findings before it looks for any', async () => {
    const folder = await botFolder({ plugin: RESTLESS, candles: 'none' });
    await mkdir(path.join(folder, 'taken'));
    await writeFile(path.join(folder, 'taken', 'file'), '');

    const run = await fuzz(folder, '--runs', '5', '--law', 'orders = 0', '--out', 'taken/file');

    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toBe('cannot write to taken/file: taken/file is a file (E_DATA_WRITE)\n');
  });
});
