import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createInstrumentId } from '../../../../src/domain/index.js';
import { controlPath, preparePlace } from '../../../../src/bots/control/control-path.js';
import { serveControl } from '../../../../src/bots/control/control-server.js';
import { socketPlace } from '../../../../src/bots/control/index.js';
import { BOT_YAML } from '../../../support/cli/bot-yaml.js';
import { runCommand } from '../../../support/cli/command-runner.js';
import { FakeBot } from '../../../support/live/fake-bot.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** A folder with a bot's file in `config`. */
async function folderWithBot(): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, 'config'));
  await writeFile(path.join(folder, 'config', 'btc.yaml'), BOT_YAML);
  return folder;
}

async function serve(folder: string, mode: 'live' | 'paper'): Promise<FakeBot> {
  const bot = new FakeBot({ mode });
  const journal = `sma-crossover-btc${mode === 'live' ? '' : '.paper'}.journal`;
  const file = path.join(folder, 'config', journal);
  await writeFile(file, '');
  const socket = controlPath(file, socketPlace());
  await preparePlace(socket, socketPlace());
  const server = await serveControl(socket, bot);
  onTestFinished(() => server.close());
  return bot;
}

describe('evenkeel status', () => {
  it.each(['config/btc.yaml', 'sma-crossover-btc', 'config/sma-crossover-btc.journal'])(
    'shows the bot %s',
    async (name) => {
      const folder = await folderWithBot();
      await serve(folder, 'live');

      const { exitCode, stdout, stderr } = await runCommand(folder, ['status', name]);

      expect(stderr).toBe('');
      expect(exitCode).toBe(0);
      expect(stdout.split('\n')).toEqual([
        'sma-crossover-btc  live  running since 2025-06-01T11:59:00Z',
        '  equity     10,012.50 USDT',
        '  profit     12.50 USDT',
        '  positions  spot:BTCUSDT long 0.25',
        '  orders     sell 0.25 spot:BTCUSDT at 61000, 0 filled, open (a1b2c3d4-7-0)',
        '  guarded    by the bot since 2025-06-01T11:58:00Z; its guard process is ready',
        '  warming up spot:BTCUSDT 1h: 219 of 518 candles are missing; weight of the first value: slow 0.040 %',
        '  streams    candles spot:BTCUSDT 1h live, 1 min old',
        '             depth spot:BTCUSDT stale, nothing yet',
        '  budgets    futures 3 of 20 per 2 s',
        '  engine     1,234 events, 12 commands, at 2025-06-01T12:00:00Z',
        '  decided    2025-06-01T11:00:00Z enter long spot:BTCUSDT',
        '',
      ]);
    },
  );

  it('prints the status as JSON, and writes it to a file', async () => {
    const folder = await folderWithBot();
    const bot = await serve(folder, 'paper');
    bot.become({ equity: undefined });

    const printed = await runCommand(folder, ['status', 'sma-crossover-btc', '--json', '-']);
    await runCommand(folder, ['status', 'sma-crossover-btc', '--json', 'status.json']);
    const written = await readFile(path.join(folder, 'status.json'), 'utf8');

    expect(JSON.parse(printed.stdout)).toMatchObject({ mode: 'paper', equity: null });
    expect(written).toBe(printed.stdout);
  });

  it.each([
    [['status', 'nobody'], 2, 'E_BOT_UNKNOWN'],
    [['status', 'config/none.yaml'], 2, 'E_CONFIG_FILE'],
    [['status', 'sma-crossover-btc'], 1, 'E_BOT_NOT_RUNNING'],
    [['halt', 'config/btc.yaml', '--mode', 'paper'], 1, 'E_BOT_NOT_RUNNING'],
    [['halt', 'config/btc.yaml', '--reason', 'a\nb'], 2, 'one line'],
  ])('rejects %j', async (argv, code, text) => {
    const folder = await folderWithBot();

    const { exitCode, stderr, stdout } = await runCommand(folder, argv);

    expect(exitCode).toBe(code);
    expect(stderr).toContain(text);
    expect(stdout).toBe('');
  });
});

describe('control commands of an operator', () => {
  it.each([
    [['pause'], ['pause'], 'received pause and is paused (paused by the operator)'],
    [['resume'], ['resume'], 'received resume and is running'],
    [['halt', '--reason', 'news'], ['halt: news'], 'received halt and is halted (news)'],
    [['flatten'], ['flatten'], 'received flatten and is halted (flattened)'],
  ])('sends %j to the bot', async ([command = '', ...options], told, text) => {
    const folder = await folderWithBot();
    const bot = await serve(folder, 'live');

    const run = await runCommand(folder, [command, 'sma-crossover-btc', ...options]);

    expect(run).toEqual({ exitCode: 0, stderr: '', stdout: `sma-crossover-btc (live) ${text}\n` });
    expect(bot.told).toEqual(told);
  });

  it('refuses an ambiguous bot name, unless --mode selects the bot', async () => {
    const folder = await folderWithBot();
    const [live, paper] = [await serve(folder, 'live'), await serve(folder, 'paper')];

    const unclear = await runCommand(folder, ['halt', 'sma-crossover-btc']);
    expect(unclear).toMatchObject({ exitCode: 2, stdout: '' });
    expect(unclear.stderr).toContain('E_BOT_AMBIGUOUS');

    await runCommand(folder, ['halt', 'sma-crossover-btc', '--mode', 'paper']);

    expect(live.told).toEqual([]);
    expect(paper.told).toEqual(['halt: halted by the operator']);
  });
});

describe('evenkeel guard clear', () => {
  it.each([
    [['guard', 'clear', 'sma-crossover-btc'], 'clear-triggers: '],
    [['guard', 'clear', 'sma-crossover-btc', '17', '18'], 'clear-triggers: 17 18'],
  ])('sends %j to the bot', async (argv, told) => {
    const folder = await folderWithBot();
    const bot = await serve(folder, 'live');

    const { exitCode, stdout } = await runCommand(folder, argv);

    expect(exitCode).toBe(0);
    expect(stdout).toContain('received guard clear');
    expect(bot.told).toEqual([told]);
  });

  it('status shows the triggers at the venue', async () => {
    const folder = await folderWithBot();
    const bot = await serve(folder, 'live');
    const instrumentId = createInstrumentId('futures', 'E-BTC-USDT');
    const common = { instrumentId, direction: 'long', trigger: 'stop-loss', since: 0 } as const;
    bot.become({
      triggers: [
        {
          ...common,
          ...{ clientOrderId: 'a-2-0', triggerId: '17', state: 'waiting', isOrphan: false },
          ...{ quantity: '10', level: '48000', uncovered: '5' },
        },
        {
          ...common,
          ...{ clientOrderId: 'a-1-0', triggerId: undefined, state: 'unknown', isOrphan: true },
          ...{ quantity: '3', level: '47000', uncovered: undefined },
        },
        {
          ...common,
          ...{ clientOrderId: 'a-3-0', triggerId: '18', state: 'canceled', isOrphan: true },
          ...{ quantity: '3', level: '46000', uncovered: undefined },
        },
        {
          ...common,
          ...{ clientOrderId: 'a-4-0', triggerId: '19', state: 'gone', isOrphan: false },
          ...{ quantity: '3', level: '49000', uncovered: '5' },
        },
      ],
    });

    const { stdout } = await runCommand(folder, ['status', 'sma-crossover-btc']);

    expect(stdout).toContain(
      '  triggers   futures:E-BTC-USDT long 10: stop-loss 48000, waiting, leaves 5 uncovered (17)',
    );
    expect(stdout).toContain(
      'futures:E-BTC-USDT long 3: stop-loss 47000, unknown, its position is closed: it would close a later one (a-1-0)',
    );
    expect(stdout).toContain(
      'stop-loss 46000, canceled: it is listed for a while, because it may have fired before (18)',
    );
    expect(stdout).toContain(
      'stop-loss 49000, gone: it has fired, and its order is about to be reported (19)',
    );
  });
});
