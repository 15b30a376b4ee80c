import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { botFolder } from '../../support/cli/bot-folder.js';
import { runCommand } from '../../support/cli/command-runner.js';

/** A plugin whose members begin in line 3, at column 3. */
function plugin(...members: readonly string[]): string {
  return `import { CandleStrategy, int } from 'evenkeel';
export class Sma extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) {
${members.map((member) => `  ${member}`).join('\n')}
}
`;
}

/** The error lines of a backtest of the plugin that ends with code 1. */
async function failureOf(source: string): Promise<readonly string[]> {
  const folder = await botFolder({ plugin: source });
  const run = await runCommand(folder, ['backtest', 'bot.yaml']);
  expect({ exitCode: run.exitCode, stdout: run.stdout }).toEqual({ exitCode: 1, stdout: '' });
  return run.stderr.split('\n').filter((line) => line !== '');
}

/** Findings of `check` about the plugin. */
async function findingsOf(source: string): Promise<readonly string[]> {
  const folder = await botFolder({ plugin: source });
  const run = await runCommand(folder, ['check', 'bot.yaml']);
  expect(run.exitCode).toBe(3);
  return run.stdout
    .split('\n')
    .flatMap((line) => (line.startsWith('finding ') ? [line.slice(12)] : []));
}

const FIRST_CLOSE = 'candles spot:BTCUSDT 1h at 2025-01-01T01:00:00Z';
const BUYS = "onCandle() { this.enterLong({ equity: '0.5' }); }";

const PROMISES = [
  {
    hook: 'onCandle',
    members: ['async onCandle() { await undefined; this.enterLong({ equity: "0.5" }); }'],
    event: FIRST_CLOSE,
  },
  {
    hook: 'onCandle',
    members: ['async onCandle() { throw new Error("nobody hears of it"); }'],
    event: FIRST_CLOSE,
  },
  { hook: 'onOrder', members: ['async onOrder() {}', BUYS], event: FIRST_CLOSE },
  { hook: 'onVerdict', members: ['async onVerdict() {}', BUYS], event: FIRST_CLOSE },
  { hook: 'onFill', members: ['onFill = async () => {};', BUYS], event: 'fill of order' },
];

describe('a hook that returns a promise', () => {
  it.each(PROMISES)('fails a run: $members.0', async ({ hook, members, event }) => {
    const lines = await failureOf(plugin(...members));

    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Sma: ${hook} returned a promise, which does not follow the engine's clock: make it a plain method, without async and await \\(while processing ${event}.*\\) \\(E_STRATEGY_PROMISE\\)$`,
        ),
      ),
    ]);
  });

  it('fails a run also from `intents`', async () => {
    const lines = await failureOf(plugin('onCandle() {}', 'async intents() {}'));

    expect(lines).toEqual([
      "Sma: intents returned a promise, which does not follow the engine's clock: make it a plain method, without async and await (while processing its start) (E_STRATEGY_PROMISE)",
    ]);
  });

  it.each([
    { member: 'async onCandle() {}', what: 'async onCandle' },
    { member: 'onFill = async () => {};', what: 'async onFill' },
    {
      member: 'onCandle(): Promise<void> { return (this as any).later(); }',
      what: 'onCandle returns a promise',
    },
  ])('is reported by check: $member', async ({ member, what }) => {
    const found = await findingsOf(plugin(member, 'onFill() {}'));

    expect(found).toContain(
      `sma.strategy.ts:3:3: makes a promise, which does not follow the engine's clock (${what}): stay within RxJS and the candle hooks (E_PLUGIN_PROMISE)`,
    );
  });
});

describe('the summary of refused intents', () => {
  it.each([
    {
      wants: "this.enterShort({ equity: '0.5' })",
      says: /spot-short; first at .*: spot cannot be sold short; use margin or futures$/,
    },
    {
      wants: 'this.enterLong({ quantity: 1 as never })',
      says: /invalid-size; first at .*: expected a size above 0 as decimal text such as "0\.5" \(BTC\), received 1$/,
    },
  ])('shows the reason and the remedy: $wants', async ({ wants, says }) => {
    const folder = await botFolder({ plugin: plugin(`onCandle() { ${wants}; }`) });

    const { stdout } = await runCommand(folder, ['backtest', 'bot.yaml']);

    const [, refused = ''] = /Refused((?:.|\n)*?)(?:Calls|Residual)/.exec(stdout) ?? [];
    expect(refused.replace(/\s+/g, ' ').trim()).toMatch(says);
  });
});

const INSTRUMENTS = 'expected one instrument of spot:BTCUSDT, received "ETHUSDT"';

const KINDS =
  'expected an intent of kind enter, exit, protect, cancel, replace, flatten or target, as enterLong() and the others make it, received';

describe('an error of a strategy', () => {
  it.each([
    { returned: '', said: 'nothing' },
    { returned: 'return 7 as never;', said: '7' },
  ])('is reported if `intents` returns no stream: $said', async ({ returned, said }) => {
    const lines = await failureOf(plugin('onCandle() {}', `intents(): never { ${returned} }`));

    expect(lines).toEqual([
      `Sma: intents returned ${said}: it returns one Observable of intents, such as market.candles$().pipe(…) (while processing its start) (E_STRATEGY_START)`,
    ]);
  });

  it('is reported if its stream emits a value that is no intent', async () => {
    const source = plugin(
      'onCandle() {}',
      'override intents() { return this.market.candles$().pipe(map(() => undefined)) as never; }',
    );

    const lines = await failureOf(`import { map } from 'rxjs'; ${source}`);

    expect(lines).toEqual([
      `Sma: ${KINDS} undefined (while processing ${FIRST_CLOSE}) (E_INTENT_UNKNOWN)`,
    ]);
  });

  it.each([
    {
      what: 'a throw behind types that are stripped',
      members: [
        'private readonly limit: number = 1;',
        "onCandle(): void { const x = 1 as number; if (x <= this.limit) throw new RangeError('no idea'); }",
      ],
      line: `sma.strategy.ts:4:72: Sma: no idea (while processing ${FIRST_CLOSE}) (E_STRATEGY_FAILED)`,
    },
    {
      what: 'a mistake that JavaScript finds',
      members: ['onCandle(): void {', '  const none: any = undefined;', '  none.price();', '}'],
      line: `sma.strategy.ts:5:10: Sma: Cannot read properties of undefined (reading 'price') (while processing ${FIRST_CLOSE}) (E_STRATEGY_FAILED)`,
    },
    {
      what: 'an instrument that is not configured',
      members: ['onCandle(): void {', "  const price: unknown = this.last('ETHUSDT');", '}'],
      line: `sma.strategy.ts:4:33: Sma: ${INSTRUMENTS} (while processing ${FIRST_CLOSE}) (E_INSTRUMENT_UNKNOWN)`,
    },
    {
      what: 'a stream that is not configured, at its start',
      members: [
        'onCandle() {}',
        "override intents() { return this.market.candles$('ETHUSDT') as never; }",
      ],
      line: `sma.strategy.ts:4:43: Sma: ${INSTRUMENTS} (while processing its start) (E_INSTRUMENT_UNKNOWN)`,
    },
    {
      what: 'an instrument that is not configured, in what is wanted',
      members: ["onCandle() { this.enterLong({ quantity: '1' }, { instrument: 'ETHUSDT' }); }"],
      line: `sma.strategy.ts:3:21: Sma: ${INSTRUMENTS} (while processing ${FIRST_CLOSE}) (E_INSTRUMENT_UNKNOWN)`,
    },
    {
      what: 'a target of an instrument that is not configured',
      members: ["onCandle() { this.rebalance({ ETHUSDT: '1' }); }"],
      line: `sma.strategy.ts:3:21: Sma: ${INSTRUMENTS} (while processing ${FIRST_CLOSE}) (E_INSTRUMENT_UNKNOWN)`,
    },
    {
      what: 'an intent of a kind that there is not',
      members: ["onCandle() { this.raise({ kind: 'buy' } as never); }"],
      line: `sma.strategy.ts:3:21: Sma: ${KINDS} "buy" (while processing ${FIRST_CLOSE}) (E_INTENT_UNKNOWN)`,
    },
    {
      what: 'a number that cannot be read',
      members: ["readonly limit = decimal('ten');", 'onCandle() {}'],
      line: 'sma.strategy.ts:3:27: Sma: expected a finite decimal such as "0.001", received "ten" (while processing its construction) (E_DECIMAL)',
    },
    {
      what: 'a throw in a hook',
      members: [BUYS, "onOrder(): void { throw new Error('in a hook'); }"],
      line: `sma.strategy.ts:4:27: Sma: in a hook (while processing ${FIRST_CLOSE}) (E_STRATEGY_FAILED)`,
    },
    {
      what: 'a throw in an operator',
      members: [
        'onCandle() {}',
        "override intents() { return this.market.candles$().pipe(map((): never => { throw new Error('in a pipe'); })); }",
      ],
      line: `sma.strategy.ts:4:84: Sma: in a pipe (while processing ${FIRST_CLOSE}) (E_STRATEGY_FAILED)`,
    },
    {
      what: 'an intent outside of every event',
      members: [
        'onCandle() { setTimeout(() => {}, 0); }',
        "readonly raised = this.enterLong({ equity: '0.5' });",
      ],
      line: expect.stringMatching(
        /^sma\.strategy\.ts:4:26: Sma: intent "enter" was raised while no event was processed.*\(E_INTENT_OUTSIDE_EVENT\)$/,
      ) as string,
    },
  ])('is reported with file, line and column: $what', async ({ members, line }) => {
    const source = plugin(...members).replace('int }', 'int, decimal }');

    const lines = await failureOf(`import { map } from 'rxjs'; ${source}`);

    expect(lines).toEqual([line]);
  });

  it('is located in the imported file that threw', async () => {
    const folder = await botFolder({
      plugin: `import { late } from './tools/late.js';\n${plugin('onCandle() { late(); }')}`,
    });
    await mkdir(path.join(folder, 'tools'));
    await writeFile(
      path.join(folder, 'tools/late.ts'),
      "export function late(hour: number = 1): never {\n  const now: number = hour; throw new Error('too late');\n}\n",
    );

    const run = await runCommand(folder, ['backtest', 'bot.yaml']);

    expect(run.stderr).toBe(
      `tools/late.ts:2:35: Sma: too late (while processing ${FIRST_CLOSE}) (E_STRATEGY_FAILED)\n`,
    );
  });
});
