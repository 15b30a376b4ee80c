import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import type { BotSetup } from '../../../../src/bots/bot-setup.js';
import type { CreateBots } from '../../../../src/bots/create-bots.js';
import type { CliContext } from '../../../../src/cli/cli-context.js';
import { checkPluginTypes } from '../../../../src/cli/check/check-types.js';
import type { LiveFlags } from '../../../../src/cli/live/live-flags.js';
import { registerLive } from '../../../../src/cli/live/live-commands.js';
import { runLive, type LiveRun } from '../../../../src/cli/live/run-live.js';
import { describeError } from '../../../../src/cli/describe-error.js';
import {
  AuthError,
  ConfigError,
  UsageError,
  type TradingError,
} from '../../../../src/domain/index.js';
import { aCliContext, type TestContext } from '../../../support/cli/cli-context.js';
import { aTerminal } from '../../../support/cli/a-terminal.js';
import { botFolder } from '../../../support/cli/bot-folder.js';
import { BOT_YAML, botYaml } from '../../../support/cli/bot-yaml.js';
import { FakeBot } from '../../../support/live/fake-bot.js';

const KEY = 'key-of-a-test-0123456789';
const SECRET = 'secret-of-a-test-0123456789';
const env = { EVENKEEL_KEY: KEY, EVENKEEL_SECRET: SECRET };
const VENUE =
  'venue: { spotUrl: "http://127.0.0.1:8480", futuresUrl: "http://127.0.0.1:8480", keyEnv: EVENKEEL_KEY, secretEnv: EVENKEEL_SECRET }\n';
const LIVE_YAML = BOT_YAML + VENUE;
const FLAGS: LiveFlags = { logLevel: 'info', view: true };
const PROBING: LiveFlags = { ...FLAGS, yes: true, probe: true };

/** A folder with `bot.yaml` and others. */
async function folderWith(
  yaml: string = LIVE_YAML,
  others: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = await botFolder({ yaml, candles: 'none' });
  for (const [name, text] of Object.entries(others)) {
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

/** Makes bots that end by themselves, and keeps their setups. */
function fakes(): { readonly create: CreateBots; readonly made: (readonly [BotSetup, FakeBot])[] } {
  const made: (readonly [BotSetup, FakeBot])[] = [];
  const create: CreateBots = async (setups) =>
    setups.map((setup) => {
      const bot = new FakeBot({ name: setup.config.name, mode: setup.mode });
      made.push([setup, bot]);
      bot.end({ kind: 'stopped' });
      return bot;
    });
  return { create, made };
}

/** Runs and returns the lines that a user would read after a failure. */
async function attempt(
  run: Partial<LiveRun>,
  { context }: TestContext,
  create: CreateBots = fakes().create,
): Promise<readonly string[]> {
  try {
    await runLive({ mode: 'live', files: ['bot.yaml'], flags: FLAGS, ...run }, context, create);
    return [];
  } catch (error: unknown) {
    return describeError(error).lines;
  }
}

describe('evenkeel live and paper', () => {
  it('create a bot for each file, with its journal, its key and its log', async () => {
    const cwd = await folderWith(LIVE_YAML, {
      'other.yaml': botYaml('name: sma-crossover-btc', 'name: other', LIVE_YAML),
    });
    const test = aCliContext({ cwd, env });
    const { create, made } = fakes();

    const lines = await attempt(
      {
        files: ['bot.yaml', 'other.yaml'],
        flags: { ...FLAGS, yes: true, set: ['risk.dust=leave'] },
      },
      test,
      async (setups, options) => {
        for (const { log, config } of setups) log.warning({ time: 1, text: `I am ${config.name}` });
        return create(setups, options);
      },
    );

    expect(lines).toEqual([]);
    expect(made.map(([setup]) => [setup.config.name, setup.journal])).toEqual([
      ['sma-crossover-btc', path.join(cwd, 'sma-crossover-btc.journal')],
      ['other', path.join(cwd, 'other.journal')],
    ]);
    expect(made[0]?.[0]).toMatchObject({
      mode: 'live',
      source: { configFile: path.join(cwd, 'bot.yaml'), set: ['risk.dust=leave'] },
      config: { risk: { dust: 'leave' } },
    });
    expect(made[0]?.[0].credentials?.secret.reveal()).toBe(SECRET);
    const logged = test.written.stdout.trimEnd().split('\n');
    expect(logged.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { bot: 'sma-crossover-btc', mode: 'live', msg: 'I am sma-crossover-btc' },
      { bot: 'other', mode: 'live', msg: 'I am other' },
    ]);
    expect(test.exitCode()).toBe(0);
  });

  it('read no key on paper, and use another journal', async () => {
    const cwd = await folderWith();
    const { create, made } = fakes();

    const lines = await attempt({ mode: 'paper' }, aCliContext({ cwd, env: {} }), create);

    expect(lines).toEqual([]);
    expect(made[0]?.[0].credentials).toBeUndefined();
    expect(made[0]?.[0].journal).toBe(path.join(cwd, 'sma-crossover-btc.paper.journal'));
  });

  it('write the log as JSON to stdout and messages to stderr, without a secret', async () => {
    const cwd = await folderWith();
    const test = aCliContext({ cwd, env });
    const create: CreateBots = async ([setup]) => {
      setup?.log.warning({ time: 1, text: `the venue said ${SECRET} to ${KEY}` });
      return [new FakeBot({ name: 'a' })];
    };

    const ended = attempt({ flags: { ...FLAGS, yes: true } }, test, create);
    await expect.poll(() => test.terminate()).toBe(true);
    await ended;

    expect(JSON.parse(test.written.stdout)).toMatchObject({
      msg: 'the venue said [secret] to [secret]',
      bot: 'sma-crossover-btc',
    });
    expect(test.written.stderr).toBe(
      'a is stopping (keep)\na has stopped, and leaves long 0.25 of spot:BTCUSDT (no stop), 1 order: evenkeel does not watch this until the bot runs again\n',
    );
  });

  it('show the bots below the log on a terminal, and remove them at the end', async () => {
    const cwd = await folderWith();
    const terminal = aTerminal(40);
    const test = aCliContext({ cwd, env: { ...env, NO_COLOR: '1' }, stdout: terminal });
    const bot = new FakeBot({ name: 'a' });

    const ended = attempt({ flags: { ...FLAGS, yes: true } }, test, async ([setup]) => {
      setup?.log.stateChanged({ time: 1, from: 'warming', to: 'running', reasons: [] });
      return [bot];
    });
    await expect.poll(() => terminal.screen().join('\n')).toContain('a  live  running since');
    expect(terminal.screen()[0]).toMatch(/^[\d:.]+ sma-crossover-btc state {5}running$/);
    test.terminate();
    await ended;

    expect(terminal.screen().at(-1)).toMatch(/^a has stopped, and leaves long 0\.25 /);
    expect(terminal.screen().join('\n')).not.toContain('since');
  });

  it('stop bots that were still being created at the request to terminate', async () => {
    const cwd = await folderWith();
    const test = aCliContext({ cwd, env });
    const bot = new FakeBot({ name: 'a' });

    await attempt({ flags: { ...FLAGS, yes: true } }, test, async () => {
      expect(test.terminate()).toBe(true);
      return [bot];
    });

    expect(bot.told).toEqual(['stop: keep']);
    expect(test.exitCode()).toBe(0);
    expect(test.terminate()).toBe(false);
  });

  it('guard against a stuck process while the bots are made, with more patience, and while they run', async () => {
    const cwd = await folderWith(`${LIVE_YAML}live: { loopStallMs: 50000 }\n`);
    const guards: number[] = [];
    const guardAgainstHang = (limitMs: number) => {
      guards.push(limitMs);
      return () => void guards.push(-limitMs);
    };

    const test = aCliContext({ cwd, env, guardAgainstHang });

    await attempt({ flags: { ...FLAGS, yes: true } }, test, (setups, deps) => {
      expect(guards).toEqual([600_000]);
      return fakes().create(setups, deps);
    });

    expect(guards).toEqual([600_000, -600_000, 100_000, -100_000]);
  });

  it.each<{ readonly error: TradingError; readonly code: number }>([
    { error: new AuthError('E_AUTH', 'refused'), code: 1 },
    // A clock that races is a matter of the configuration (docs/errors.md).
    { error: new UsageError('E_ALLOCATION', 'refused'), code: 2 },
    {
      error: new ConfigError('E_VENUE_CLOCK', {
        location: { file: 'a' },
        expected: 'b',
        received: 'refused',
      }),
      code: 2,
    },
  ])('end with exit code $code when a bot failed with $error.code', async ({ error, code }) => {
    const cwd = await folderWith();
    const test = aCliContext({ cwd, env });

    await attempt({ flags: { ...FLAGS, yes: true } }, test, async () => {
      const bot = new FakeBot({ name: 'a' });
      bot.end({ kind: 'failed', error });
      return [bot];
    });

    expect(test.exitCode()).toBe(code);
    expect(test.written.stderr).toMatch(/^a has failed: .*refused.*\n$/);
    expect(test.written.stderr).toContain(`(${error.code})`);
  });

  it.each([
    ['without a venue', BOT_YAML, 'venue: expected a mapping that says where to trade'],
    ['without its key', LIVE_YAML, 'environment EVENKEEL_KEY: expected a key'],
    ['with a wrong parameter', LIVE_YAML.replace('fast: 10', 'fast: 0'), 'parameters.fast'],
  ])('create no bot %s', async (_what, yaml, text) => {
    const { create, made } = fakes();
    const cwd = await folderWith(yaml);

    const lines = await attempt({}, aCliContext({ cwd }), create);

    expect(lines[0]).toContain(text);
    expect(made).toEqual([]);
  });

  it('report the errors of all files, and create no bot', async () => {
    const cwd = await folderWith(LIVE_YAML, {
      'bad.yaml': LIVE_YAML.replace('fast: 10', 'fast: 0'),
    });
    const { create, made } = fakes();

    const lines = await attempt(
      { files: ['bot.yaml', 'bad.yaml', 'none.yaml'] },
      aCliContext({ cwd, env }),
      create,
    );

    expect(lines).toHaveLength(2);
    expect(lines.join()).toContain('bad.yaml');
    expect(lines.join()).toContain('none.yaml: expected a readable YAML file');
    expect(made).toEqual([]);
  });

  it('refuse two bots with the same name or journal', async () => {
    const cwd = await folderWith(LIVE_YAML, { 'twin.yaml': LIVE_YAML });

    const lines = await attempt({ files: ['bot.yaml', 'twin.yaml'] }, aCliContext({ cwd, env }));

    expect(lines).toEqual([
      'twin.yaml:1:1 name: expected a name that no other bot has, received that of the bot sma-crossover-btc (E_CONFIG_DUPLICATE)',
      'twin.yaml:1:1 live.journal: expected a journal that no other bot has, received that of the bot sma-crossover-btc (E_CONFIG_DUPLICATE)',
    ]);
  });

  it('refuse bots whose polls together exceed the limits of the venue', async () => {
    const bot = (name: string, from: number): string => {
      const contracts = Array.from({ length: 8 }, (_, at) => `E-C${String(from + at)}-USDT`);
      const instruments = contracts.map(
        (symbol) =>
          `  - { product: futures, symbol: ${symbol}, intervals: [1h], multiplier: "0.01", leverage: 5, marginMode: isolated }`,
      );
      const rules = contracts.map(
        (symbol) =>
          `    ${symbol}: { pricePrecision: 2, quantityPrecision: 0, minOrderQuantity: "1" }`,
      );
      return botYaml('sma-crossover-btc', name, LIVE_YAML)
        .replace(/ {2}- \{ product: spot.*\n/, `${instruments.join('\n')}\n`)
        .replace(/ {4}BTCUSDT: .*\n/, `${rules.join('\n')}\n`);
    };
    const cwd = await folderWith(bot('a', 0), { 'b.yaml': bot('b', 8) });
    const { create, made } = fakes();

    const alone = await attempt(
      { flags: { ...FLAGS, yes: true } },
      aCliContext({ cwd, env }),
      create,
    );
    const together = await attempt(
      { files: ['bot.yaml', 'b.yaml'], flags: { ...FLAGS, yes: true } },
      aCliContext({ cwd, env }),
      create,
    );

    const paper = await attempt({ mode: 'paper' }, aCliContext({ cwd, env }), create);

    expect(alone).toEqual([]);
    // 8 candles, 8 marks, a clock, and 8 prices every 2 s; 8 + 8 + 1 slots of 500.5 ms.
    expect(paper.join('\n')).toContain(
      'received 257 calls per minute, the last candle of a close within 8.8 s (E_CONFIG_BUDGET)',
    );
    // 16 candles, 16 marks and a clock; 2 x (16 + 1) slots of 1001 ms.
    expect(together.join('\n')).toContain(
      'received 33 calls per minute, the last candle of a close within 34.3 s (E_CONFIG_BUDGET)',
    );
    expect(made).toHaveLength(1);
  });

  it('refuse two bots on one contract with one key, but not on paper', async () => {
    const yaml = LIVE_YAML.replace(
      '{ product: spot, symbol: BTCUSDT, intervals: [1h] }',
      '{ product: futures, symbol: E-BTC-USDT, leverage: 3, marginMode: cross, multiplier: "0.001", intervals: [1h] }',
    ).replace('    BTCUSDT:', '    E-BTC-USDT:');
    const other = yaml.replace('name: sma-crossover-btc', 'name: other');
    const cwd = await folderWith(yaml, { 'other.yaml': other });
    const files = ['bot.yaml', 'other.yaml'];

    const live = await attempt({ files }, aCliContext({ cwd, env }));
    const paper = await attempt({ files, mode: 'paper' }, aCliContext({ cwd, env }));

    expect(live).toEqual([
      expect.stringContaining('expected an instrument that no other bot on this key trades'),
    ]);
    expect(paper).toEqual([]);
  });
});

describe('findings of check at a live or paper start', () => {
  const SILENT =
    "import { CandleStrategy } from 'evenkeel';\nexport class S extends CandleStrategy() {\n";
  const told = async (
    plugin: string,
    {
      yaml = LIVE_YAML,
      flags = FLAGS,
      mode = 'live',
      ...types
    }: {
      readonly yaml?: string;
      readonly flags?: LiveFlags;
      readonly mode?: LiveRun['mode'];
      readonly checkTypes?: CliContext['checkTypes'];
    } = {},
  ): Promise<{
    readonly lines: readonly string[];
    readonly made: number;
    readonly code: number;
  }> => {
    const cwd = await folderWith(yaml.replace('  parameters: { fast: 10, slow: 30 }\n', ''), {
      'sma.strategy.ts': `${SILENT}${plugin}\n}\n`,
    });
    const { create, made } = fakes();
    const test = aCliContext({ cwd, env, ...types });
    const failed = await attempt({ mode, flags }, test, create);
    const lines = [...failed, ...test.written.stderr.split('\n').filter((line) => line !== '')];
    return { lines, made: made.length, code: test.exitCode() };
  };
  const LAST =
    'nothing was started; findings of check: 1. Fix them, or start with --accept-findings';

  it.each(['live', 'paper'] as const)('keep %s from starting', async (mode) => {
    const run = await told('  override onCandle(): void {\n    Math.random();\n  }', { mode });

    expect(run).toEqual({
      lines: [
        'sma.strategy.ts:4:5: draws random values (Math.random): use this.random(), which is drawn from the seed (E_PLUGIN_RANDOM)',
        LAST,
      ],
      made: 0,
      code: 3,
    });
  });

  it('keep a bot from starting for type errors and for protections without effect', async () => {
    const types = await told("  override onCandle(): void {\n    this.exit({ lable: 'x' });\n  }", {
      checkTypes: (file) => Promise.resolve(checkPluginTypes(file)),
    });
    const idle = await told('  override onCandle(): void {}', {
      yaml: `${LIVE_YAML}risk: { maxMarginUse: "0.5" }\n`,
    });

    expect(types.lines).toEqual([
      "sma.strategy.ts:4:17: TS2561: Object literal may only specify known properties, but 'lable' does not exist in type 'ExitTerms'. Did you mean to write 'label'? (E_PLUGIN_TYPE)",
      LAST,
    ]);
    expect(idle.lines).toEqual([
      'bot.yaml:17:9 risk.maxMarginUse: expected an instrument of futures beside maxMarginUse, received none, so it has no effect (E_CONFIG_IDLE)',
      LAST,
    ]);
    expect([types.made, idle.made]).toEqual([0, 0]);
  });

  it('do not keep a bot from starting with --accept-findings', async () => {
    const flags: LiveFlags = { ...FLAGS, yes: true, acceptFindings: true };

    const run = await told('  override onCandle(): void { Math.random(); }', { flags });

    expect(run).toMatchObject({ made: 1, code: 0 });
  });
});

describe('the first live start on a key', () => {
  const typing = (text: string | undefined, asked: string[]) => async (question: string) => {
    asked.push(question);
    return text;
  };

  it('asks for the name of the bot, and remembers a hash of the key', async () => {
    const cwd = await folderWith();
    const asked: string[] = [];
    const ask = typing('sma-crossover-btc', asked);
    const first = aCliContext({ cwd, env, ask });

    expect(await attempt({}, first)).toEqual([]);
    expect(await attempt({}, aCliContext({ cwd, env, ask }))).toEqual([]);

    expect(asked).toEqual(['Type the name of the bot to let it trade: ']);
    expect(first.written.stderr).toContain('venue       http://127.0.0.1:8480\n');
    expect(first.written.stderr).toContain('allocation  spot 10000 USDT\n');
    const memory = path.join(cwd, 'sma-crossover-btc.journal.keys');
    expect(await readFile(memory, 'utf8')).toMatch(/^sha256:[0-9a-f]{64}\n$/);
    expect((await stat(memory)).mode & 0o777).toBe(0o600);
  });

  it('asks again with another key', async () => {
    const cwd = await folderWith();
    const asked: string[] = [];
    const ask = typing('sma-crossover-btc', asked);

    await attempt({}, aCliContext({ cwd, env, ask }));
    await attempt({}, aCliContext({ cwd, env: { ...env, EVENKEEL_KEY: `${KEY}x` }, ask }));

    expect(asked).toHaveLength(2);
  });

  it.each([['yes'], [''], [undefined]])('starts nothing when %j is typed', async (typed) => {
    const cwd = await folderWith();
    const { create, made } = fakes();

    const lines = await attempt({}, aCliContext({ cwd, env, ask: typing(typed, []) }), create);

    expect(lines).toEqual(['expected "sma-crossover-btc"; nothing was started (E_NOT_CONFIRMED)']);
    expect(made).toEqual([]);
  });

  it('is refused without a terminal for the question, unless --yes is given or the run is dry', async () => {
    const cwd = await folderWith();
    const test = (): TestContext => aCliContext({ cwd, env });
    let isDry: boolean | undefined;

    const refused = await attempt({}, test());
    const allowed = await attempt({ flags: { ...FLAGS, yes: true } }, test());
    const dry = await attempt({ flags: { ...FLAGS, dryRun: true } }, test(), (setups, deps) => {
      isDry = deps.isDryRun;
      return fakes().create(setups, deps);
    });

    expect(refused).toEqual([
      expect.stringContaining('--yes skips the confirmation (E_NOT_CONFIRMED)'),
    ]);
    expect([allowed, dry]).toEqual([[], []]);
    expect(isDry).toBe(true);
  });
});

describe('live --probe', () => {
  it('lets bots probe only with the flag', async () => {
    const cwd = await folderWith();
    const seen: boolean[] = [];
    const create: CreateBots = (setups, deps) => {
      seen.push(deps.probes);
      return fakes().create(setups, deps);
    };

    for (const flags of [{ ...FLAGS, yes: true as const }, PROBING])
      expect(await attempt({ flags }, aCliContext({ cwd, env }), create)).toEqual([]);

    expect(seen).toEqual([false, true]);
  });

  it('is refused together with --dry-run', async () => {
    const cwd = await folderWith();
    const flags = { ...PROBING, dryRun: true } as const;

    expect(await attempt({ flags }, aCliContext({ cwd, env }))).toEqual([
      '--probe sends orders and --dry-run sends none: choose one (E_USAGE)',
    ]);
  });
});

describe('the commands live and paper', () => {
  it('take several files, and options of their own', () => {
    const program = new Command();
    registerLive(program, aCliContext().context);
    const [live, paper] = program.commands;

    live?.parseOptions([
      '--yes',
      '--dry-run',
      '--probe',
      '--set',
      'a=1',
      '--set',
      'b=2',
      '--no-view',
    ]);
    paper?.parseOptions(['--log', 'json', '--log-level', 'debug']);

    expect(live?.usage()).toBe('[options] <config...>');
    expect(live?.opts()).toEqual({
      yes: true,
      dryRun: true,
      probe: true,
      set: ['a=1', 'b=2'],
      view: false,
      logLevel: 'info',
    });
    expect(paper?.opts()).toEqual({ log: 'json', logLevel: 'debug', view: true });
  });
});
