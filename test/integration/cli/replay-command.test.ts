import { readdirSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { botFolder, SMA_SOURCE, type BotFolderOptions } from '../../support/cli/bot-folder.js';
import { BOT_YAML, botYaml } from '../../support/cli/bot-yaml.js';
import { runCommand, type CommandRun } from '../../support/cli/command-runner.js';
import type { Result } from '../../../src/report/index.js';
import { DAY_MS, formatUtc, parseUtc, present } from '../../../src/domain/index.js';
import { twoEpochs } from '../../support/cli/two-epochs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const CONFIGS = readdirSync(join(ROOT, 'config')).filter((file) => file.endsWith('.backtest.yaml'));
/** Scenarios that vary an example bot: with protections, latency, delays, large orders. */
const SCENARIOS = readdirSync(join(ROOT, 'backtest/scenarios')).filter(
  (file) => !CONFIGS.includes(file.replace('.yaml', '.backtest.yaml')),
);

/** Runs SQL on a journal as another program would. */
function alter(file: string, sql: string): void {
  const db = new Database(file);
  const { changes } = db.prepare(sql).run();
  db.close();
  expect(changes).toBe(1);
}

/** Journals of bots, by their inputs. Equal inputs give equal journals, so each is made once. */
const journals = new Map<string, Buffer>();

/** A folder in which a bot has been backtested with a journal. */
async function journalled(
  bot: Pick<BotFolderOptions, 'yaml' | 'plugin'> = {},
  ...more: readonly string[]
): Promise<string> {
  const folder = await botFolder(bot);
  const file = join(folder, 'run.db');
  const madeOf = JSON.stringify([bot, more]);
  const known = more.includes('--json') ? undefined : journals.get(madeOf);
  if (known !== undefined) {
    await writeFile(file, known);
    return folder;
  }
  const run = await runCommand(folder, ['backtest', 'bot.yaml', '--journal', 'run.db', ...more]);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  journals.set(madeOf, await readFile(file));
  return folder;
}

/** Replays or explains the journal of a folder. */
function ask(
  folder: string,
  command: 'replay' | 'why',
  ...flags: readonly string[]
): Promise<CommandRun> {
  return runCommand(folder, [command, 'run.db', '--config', 'bot.yaml', ...flags]);
}

/** Days that each bot runs, unless EVENKEEL_LONG=1 asks for its whole range. All bots trade within these days: `rsi-mean-reversion` trades rarely. */
const daysOf = (config: string): number => (config.includes('/rsi-mean-reversion') ? 25 : 12);

async function endOf(config: string): Promise<readonly string[]> {
  if (process.env['EVENKEEL_LONG'] === '1') return [];
  const { simulation } = parse(await readFile(join(ROOT, config), 'utf8')) as {
    readonly simulation: { readonly from: string };
  };
  return ['--to', formatUtc(parseUtc(simulation.from) + daysOf(config) * DAY_MS)];
}

describe('replay of a backtest', () => {
  it.each([
    ...CONFIGS.map((file) => `config/${file}`),
    ...SCENARIOS.map((file) => `backtest/scenarios/${file}`),
  ])('of %s gives the same commands', async (config) => {
    const journal = join(await temporaryFolder(), 'run.db');
    const words = [
      'backtest',
      config,
      '--no-ledger',
      '--journal',
      journal,
      ...(await endOf(config)),
    ];

    const made = await runCommand(ROOT, words);
    const replayed = await runCommand(ROOT, ['replay', journal, '--config', config]);

    expect(made.exitCode).toBe(0);
    expect(replayed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(replayed.stdout).toMatch(/identical \d+ events and [1-9]\d* commands/);
  });

  it('prints JSON, and takes flags of the run from the journal', async () => {
    const folder = await journalled({}, '--to', '2025-01-20', '--set', 'risk.dust=leave');

    const run = await ask(folder, 'replay', '--json', '-');

    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({
      bot: 'sma-crossover-btc',
      epoch: 1,
      kind: 'identical',
    });
  });

  it('restores the base balance of the start', async () => {
    const yaml = botYaml('balances: { USDT: "10000" }', 'balances: { BTC: "0.5", USDT: "100" }');
    const folder = await journalled({ yaml });

    expect(await ask(folder, 'replay')).toMatchObject({
      exitCode: 0,
    });
  });
});

describe('replay of a journal in which one event was altered', () => {
  it.each([
    ['a price of a candle', 'UPDATE candles SET close = close + 0.01 WHERE event = 5'],
    ['the time of an event', 'UPDATE events SET time = time + 1 WHERE id = 50'],
    [
      'a fill',
      'UPDATE events SET body = replace(body, \'"taker"\', \'"maker"\') WHERE id = (SELECT min(id) FROM events WHERE body LIKE \'%"taker"%\')',
    ],
    [
      'a command',
      'UPDATE commands SET body = replace(body, \'"buy"\', \'"sell"\') WHERE event = (SELECT min(event) FROM commands)',
    ],
    ['a lost candle', 'DELETE FROM candles WHERE event = 7'],
  ])('ends with 3: %s', async (_what, sql) => {
    const folder = await journalled();
    alter(join(folder, 'run.db'), sql);

    const run = await ask(folder, 'replay');

    expect(run.exitCode).toBe(3);
    expect(run.stderr).toMatch(
      /^event \d+ \(.*\): expected .*, received .* \(E_REPLAY_DIVERGED\)\n$/,
    );
    expect(run.stdout).toContain('diverged after');
  });
});

describe('replay', () => {
  /** Replays a journal after `change` has changed the folder of its bot. */
  const changed = async (change: (folder: string) => Promise<void>): Promise<CommandRun> => {
    const folder = await journalled();
    await change(folder);
    return ask(folder, 'replay');
  };

  it.each([
    [
      'plugin differs from that',
      (folder: string) => appendFile(join(folder, 'sma.strategy.ts'), '// other\n'),
    ],
    [
      'config differs from that',
      (folder: string) => writeFile(join(folder, 'bot.yaml'), botYaml('"10000"', '"10001"')),
    ],
    [
      'parameters differ from those',
      (folder: string) => writeFile(join(folder, 'bot.yaml'), botYaml('slow: 30', 'slow: 31')),
    ],
  ])('refuses a folder where the %s', async (difference, change) => {
    const run = await changed(change);

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(`the ${difference} of epoch 1`);
    expect(run.stderr).toContain('(E_REPLAY_INPUTS)');
  });

  it('uses the given config for a bot that was moved', async () => {
    const folder = await journalled();
    const other = await botFolder();

    const run = await runCommand(other, [
      'replay',
      join(folder, 'run.db'),
      '--config',
      join(other, 'bot.yaml'),
    ]);

    expect(run.exitCode).toBe(0);
  });

  it.each([
    [['replay', 'none.db'], 'E_JOURNAL_MISSING', 1],
    [['replay', 'bot.yaml'], 'E_JOURNAL_FOREIGN', 1],
    [['replay', 'run.db', '--config', 'bot.yaml', '--epoch', '7'], 'E_REPLAY_EPOCH', 2],
    [['why', 'run.db', '--config', 'bot.yaml', '--at', 'noon'], 'E_USAGE', 2],
    [
      ['why', 'run.db', '--config', 'bot.yaml', '--at', '2025-01-05', '--instrument', 'DOGE'],
      'E_USAGE',
      2,
    ],
    [['backtest', 'bot.yaml', '--journal', 'run.db'], 'E_JOURNAL_EXISTS', 1],
    [['backtest', 'bot.yaml', '--journal', 'no/where.db'], 'E_DATA_WRITE', 1],
  ] as const)('reports what is wrong with %j', async (argv, code, exitCode) => {
    const folder = await journalled();

    const run = await runCommand(folder, argv);

    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr).toContain(`(${code})`);
  });

  it('keeps the journal of a failed run up to the event before the failure', async () => {
    const fails = SMA_SOURCE.replace(
      'override onCandle(): void {',
      'override onCandle(): void {\n    if (this.now > Date.UTC(2025, 0, 20)) throw new Error("no");',
    );
    const folder = await botFolder({ plugin: fails });

    const made = await runCommand(folder, ['backtest', 'bot.yaml', '--journal', 'run.db']);
    const replayed = await ask(folder, 'replay');

    expect(made.exitCode).toBe(1);
    expect(replayed).toMatchObject({ exitCode: 0 });
    const db = new Database(join(folder, 'run.db'), { readonly: true });
    expect(db.prepare('SELECT closed FROM epochs').pluck().get()).toBe('failed: E_STRATEGY_FAILED');
    db.close();
  });
});

describe('an untrusted journal', () => {
  /** A plugin that writes a file when it is loaded. */
  const HOSTILE = `import { writeFileSync } from 'node:fs';
writeFileSync('ran.txt', 'ran');
${SMA_SOURCE}`;

  it('cannot make a command run code that it names', async () => {
    const folder = await journalled({}, '--json', 'run.json');
    await writeFile(join(folder, 'sma.strategy.ts'), HOSTILE);

    for (const argv of [
      ['replay', 'run.db'],
      ['why', 'run.db', '--at', '2025-01-05'],
      ['result', 'run.db'],
      ['report', 'run.json', '--journal', 'run.db'],
    ]) {
      const run = await runCommand(folder, argv);

      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toContain('expected --config');
      expect(run.stderr).toContain('(E_REPLAY_SOURCE)');
    }
    expect(readdirSync(folder)).not.toContain('ran.txt');
  });

  it('cannot select code by a change of the config', async () => {
    const folder = await journalled();
    await writeFile(join(folder, 'hostile.strategy.ts'), HOSTILE);

    for (const change of [
      'strategy.path=hostile.strategy.ts',
      'strategy={path: hostile.strategy.ts}',
      ' strategy .path=hostile.strategy.ts',
    ]) {
      alter(
        join(folder, 'run.db'),
        `UPDATE epochs SET source = json_set(source, '$.set', json_array('${change}')), digest = NULL`,
      );

      const run = await ask(folder, 'replay');

      expect(run.exitCode).toBe(2);
      expect(run.stderr).toContain(JSON.stringify(change));
      expect(run.stderr).toContain('(E_REPLAY_SOURCE)');
    }
    expect(readdirSync(folder)).not.toContain('ran.txt');
  });

  it('is replayed with its changes of parameters', async () => {
    const folder = await journalled({}, '--set', 'strategy.parameters.slow=31');

    const run = await ask(folder, 'replay');

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('why', () => {
  const LOGGING = SMA_SOURCE.replace(
    'override onCandle(): void {',
    'override onCandle(): void {\n    this.log.debug("averages", { fast: this.fast.value, slow: this.slow.value });',
  );

  /** A run with a journal, and the time of its first order. */
  async function explained(): Promise<{
    readonly folder: string;
    readonly at: string;
    readonly id: string;
  }> {
    const folder = await journalled({ plugin: LOGGING });
    const db = new Database(join(folder, 'run.db'), { readonly: true });
    const first = db
      .prepare('SELECT utc, client_order_id AS id FROM command_log ORDER BY event LIMIT 1')
      .get() as { utc: string; id: string };
    db.close();
    return { folder, at: first.utc, id: first.id };
  }

  it('shows the decision of the epoch at the given time, or the last one before it', async () => {
    const folder = await twoEpochs(LOGGING);
    const lineOf = async (at: string, ...more: readonly string[]): Promise<string> => {
      const { stdout } = await ask(folder, 'why', '--at', at, ...more);
      return /^intent .*$/m.exec(stdout)?.[0] ?? stdout;
    };

    const [before, between, after] = [
      await lineOf('2025-01-10'),
      await lineOf('2025-01-20T01:00:00Z'),
      await lineOf('2025-01-31'),
    ];

    const alone = await lineOf('2025-01-20T01:00:00Z', '--epoch', '2');

    expect(alone).not.toMatch(/^intent /);
    expect(before).toMatch(/^intent /);
    expect(between).toMatch(/^intent /);
    expect(after).toMatch(/^intent /);
    expect(new Set([before, between, after]).size).toBe(3);
  });

  it('shows the chain from data to fill', async () => {
    const { folder, at, id } = await explained();

    const run = await ask(folder, 'why', '--at', at, '--instrument', 'BTCUSDT');

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const names = run.stdout.split('\n').map((line) => line.split(' ')[0]);
    expect(names.join(' ').trim()).toBe('instant data log intent checks verdict order answer');
    expect(run.stdout).toMatch(/^log +debug averages \{"fast":[\d.]+,"slow":[\d.]+\}$/m);
    expect(run.stdout).toMatch(/^intent +2 enter spot:BTCUSDT .*"equity":"0.95"/m);
    expect(run.stdout).toMatch(/^verdict +approved/m);
    expect(run.stdout).toContain(`${id}: market buy open`);
    expect(run.stdout).toMatch(/^answer +\S+ filled: [\d.]+ at [\d.]+, fee [\d.]+ BTC, taker$/m);
  });

  it('shows each trade of a target with its own orders, and a target that needs no trade', async () => {
    const plugin = SMA_SOURCE.replace(
      /if [^]*exit\(\);/,
      "this.rebalance({ BTCUSDT: this.fast.value > this.slow.value ? '0.5' : '0' }, { label: 'half' });",
    );
    const folder = await journalled({ plugin });
    const db = new Database(join(folder, 'run.db'), { readonly: true });
    const timesOf = (view: string) =>
      (db.prepare(`SELECT utc FROM ${view} ORDER BY event`).all() as { utc: string }[]).map(
        ({ utc }) => utc,
      );
    const [set, sent] = [timesOf('intent_log'), timesOf('command_log')];
    db.close();

    const [idle, traded] = [
      await ask(
        folder,
        'why',
        '--at',
        present(
          set.find((time) => !sent.includes(time)),
          'idle',
        ),
      ),
      await ask(folder, 'why', '--at', present(sent[0], 'order'), '--json', '-'),
    ];

    expect(idle.stdout).toMatch(/^intent +\d+ target \{"targets":.*"label":"half"\}$/m);
    expect(idle.stdout).toMatch(/^verdict +no trade at this instant: /m);
    expect(JSON.parse(traded.stdout)).toMatchObject({
      targets: [{ intent: { kind: 'target', label: 'half' } }],
      decisions: [
        { instrument: 'spot:BTCUSDT', orders: [{ order: expect.any(String) as string }] },
      ],
    });
  });

  it('shows the cost of a worked intent as the result does', async () => {
    const work = `{ work: { twap: { over: '3h', slices: 3 } } }`;
    const plugin = SMA_SOURCE.replace(
      /this\.enterLong\([^;]*\);/,
      `this.enterLong({ quantity: '0.1' }, ${work});`,
    );
    const folder = await botFolder({ plugin });
    const args = ['backtest', 'bot.yaml', '--journal', 'run.db', '--json', 'result.json'];
    await runCommand(folder, args);
    const result = JSON.parse(await readFile(join(folder, 'result.json'), 'utf8')) as Result;
    const [first] = result.worked ?? [];
    const at = new Date(first?.from ?? 0).toISOString();

    const run = await ask(folder, 'why', '--at', at);

    const { arrival = '', averagePrice, shortfall } = first ?? {};
    expect(run.stdout).toContain(
      `worked    buy 0.1 base, arrival ${arrival}: 0.1 filled at ${String(averagePrice)}, shortfall ${String(shortfall)} USDT (`,
    );
    const json = await ask(folder, 'why', '--at', at, '--json', '-');
    expect(JSON.parse(json.stdout)).toMatchObject({ decisions: [{ worked: [first] }] });
  });

  it('explains a refusal by its check', async () => {
    const yaml = `${BOT_YAML}risk: { maxOrderNotional: "10" }\n`;
    const folder = await botFolder({ yaml, plugin: LOGGING });
    await runCommand(folder, ['backtest', 'bot.yaml', '--journal', 'run.db']);

    const run = await ask(folder, 'why', '--at', '2025-01-31');

    expect(run.stdout).toMatch(/^verdict +refused by max-order-notional: limit 10, actual [\d.]+/m);
    expect(run.stdout).not.toMatch(/^order/m);
  });

  it('shows the last decision if there is none at the given time, and the time of the next', async () => {
    const { folder, at } = await explained();
    const hourLater = new Date(Date.parse(at) + 3_600_000).toISOString();

    const run = await ask(folder, 'why', '--at', hourLater);

    const shown = at.replace('.000Z', 'Z');
    expect(run.stdout).toContain(`nothing at this instant; last ${shown}, next 2025-`);
    expect(run.stdout).toMatch(new RegExp(`^instant +${shown}$`, 'm'));
  });

  it('reports that nothing happened before the first event', async () => {
    const { folder } = await explained();

    const run = await ask(folder, 'why', '--at', '2020-01-01');

    expect(run.stdout).toContain('no new data at this instant');
    expect(run.stdout).toContain('none before, next 2025-');
  });

  it('prints the chain as JSON', async () => {
    const { folder, at, id } = await explained();

    const run = await ask(folder, 'why', '--at', at, '--json', '-');

    const [decision] = JSON.parse(run.stdout).decisions;
    expect(decision).toMatchObject({
      instrument: 'spot:BTCUSDT',
      verdict: 'approved',
    });
    expect(decision.checks).toContain('min-order-money');
    expect(decision.orders).toMatchObject([{ clientOrderId: id }]);
    expect(decision.orders[0].answers).toHaveLength(1);
  });

  it('refuses a journal that was altered', async () => {
    const { folder, at } = await explained();
    alter(join(folder, 'run.db'), 'UPDATE candles SET close = close + 0.01 WHERE event = 5');

    const run = await ask(folder, 'why', '--at', at);

    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('E_REPLAY_DIVERGED');
  });
});
