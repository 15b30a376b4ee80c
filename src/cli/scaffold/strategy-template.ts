/** Names for a new strategy. */
export interface StrategyNames {
  /** With hyphens: `my-idea`. */
  readonly file: string;
  /** Name of the class: `MyIdea`. */
  readonly className: string;
}

/** Writes the source of a new strategy: small, complete, and made to be replaced. */
export function renderStrategy({ className }: StrategyNames): string {
  return `import { CandleStrategy, crossedAbove, crossedBelow, decimal, int, rsi } from 'evenkeel';

/** Buys strength and leaves weakness, with a stop below the entry. A start, not advice: put your idea here. */
export class ${className} extends CandleStrategy({
  period: int(2, 200, 24, { description: 'candles of the relative strength index' }),
  entry: int(50, 100, 60, { description: 'index above which to buy' }),
  exit: int(0, 50, 45, { description: 'index below which to sell' }),
}) {
  // Indicators are fed before onCandle is called; their warm-up is counted by itself.
  readonly strength = this.indicator(rsi(this.parameters.period));

  override onCandle(): void {
    if (crossedAbove(this.strength, this.parameters.entry)) {
      this.enterLong({ equity: '0.9' }, { protection: { stopLoss: { ratio: decimal('0.05') } } });
    } else if (crossedBelow(this.strength, this.parameters.exit)) {
      this.exit();
    }
  }
}
`;
}

/** Writes a test of the new strategy. It is JavaScript, so that Node runs it without other tools. */
export function renderTest({ file }: StrategyNames): string {
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closes, flat, startStrategy } from 'evenkeel/testing';

const strategy = new URL('${file}.strategy.ts', import.meta.url);
const falling = Array.from({ length: 30 }, (_, index) => 130 - index);
const rising = Array.from({ length: 30 }, (_, index) => 101 + index);

test('buys strength, and leaves by its stop 5 % below the entry', async () => {
  const run = await startStrategy(strategy);

  run.play(closes(...falling, ...rising));
  assert.equal(run.position().quantity.isZero(), false);

  run.play(closes(90));
  const [entry, exit] = run.fills;
  assert.equal(run.position().quantity.isZero(), true);
  assert.ok(Math.abs(exit.price / entry.price - 0.95) < 0.01);
});

test('wants nothing in a market that does not move', async () => {
  const run = await startStrategy(strategy);

  run.play(flat(200, 100));
  assert.deepEqual(run.intents, []);
});
`;
}

/** Writes the notes that every strategy should have. `command`: how the user calls this program. */
export function renderReadme({ file, className }: StrategyNames, command: string): string {
  return `# ${className}

Idea: a strong market stays strong for a while. Buys when the relative strength index rises above \`entry\`, sells when it falls
below \`exit\`, and sets a stop 5 % below the entry.

| parameter | unit    | range     | default | meaning                       |
| --------- | ------- | --------- | ------- | ----------------------------- |
| \`period\`  | candles | 2 to 200  | 24      | length of the index           |
| \`entry\`   | index   | 50 to 100 | 60      | buys above it                 |
| \`exit\`    | index   | 0 to 50   | 45      | sells below it                |

When it fails: in a market without direction every signal is late, and each round trip pays fees and spread twice.

    ${command} check config/${file}.backtest.yaml
    ${command} backtest config/${file}.backtest.yaml
    node --test strategies/${file}/
`;
}
