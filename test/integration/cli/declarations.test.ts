import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../support/cli/command-runner.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

/** The options that `tsc --init` writes, as far as they matter here. */
const INITIAL: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  types: [],
  declaration: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  strict: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  moduleDetection: ts.ModuleDetectionKind.Force,
  skipLibCheck: true,
};

/** A folder with a package `evenkeel`, whose types are those of the source. */
async function aProject(): Promise<string> {
  const folder = await temporaryFolder();
  const installed = path.join(folder, 'node_modules/evenkeel');
  await mkdir(installed, { recursive: true });
  const types = { types: './src/index.ts', default: './src/index.ts' };
  await writeFile(
    path.join(installed, 'package.json'),
    JSON.stringify({ name: 'evenkeel', type: 'module', exports: { '.': types } }),
  );
  await symlink(path.join(REPOSITORY, 'src'), path.join(installed, 'src'));
  await symlink(path.join(REPOSITORY, 'node_modules/rxjs'), path.join(folder, 'node_modules/rxjs'));
  return folder;
}

/** The errors of the compiler for a file, with the options of `tsc --init` and the given ones. */
function complaintsOf(file: string, options: ts.CompilerOptions = {}): readonly string[] {
  // Symbolic links stay links, so that the compiler treats the source as an installed package.
  const program = ts.createProgram([file], { ...INITIAL, ...options, preserveSymlinks: true });
  const source = program.getSourceFile(file);
  const found = [
    ...ts.getPreEmitDiagnostics(program, source),
    ...program.getDeclarationDiagnostics(source),
  ];
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

/** Names every type that a strategy can reach from the package. */
const EVERYTHING = `import * as evenkeel from 'evenkeel';
import type { AccountEvent, Fill, Halt, Market, Order, Position, StrategyContext, Verdict } from 'evenkeel';
export const {
  adx, atr, bollinger, bool, cancel, CandleStrategy, cci, choice, crossedAbove, crossedBelow, decimal, donchian, ema, enterLong, enterShort, exit,
  flatten, highest, Indicator, int, kama, lowest, macd, mfi, number, obv, protect, replace, roc, rsi, sma, standardDeviation, stochastic, Strategy,
  supertrend, trueRange, vwap, wma,
} = evenkeel;
export class Candles extends CandleStrategy({
  a: int(1, 2, 1),
  b: number(1, 2, 1),
  c: bool(true),
  d: choice(['x', 'y']),
}) {
  readonly average = this.indicator(sma(3));
  readonly settings = this.parameters;
  readonly members = [
    this.market, this.log, this.verdicts$, this.orders$, this.fills$, this.halts$, this.funding$, this.accountEvents$, this.instruments,
    this.position, this.equity, this.workingOrders, this.positionOf, this.balanceOf, this.enterLong, this.enterShort, this.exit, this.protect,
    this.cancel, this.replace, this.flatten, this.listen, this.raise, this.indicator, this.intents, this.onVerdict, this.onOrder,
  ] as const;
  onCandle() {}
}
export class Streams extends Strategy({ a: int(1, 2, 1) }, { intervals: 2 }) {
  intents(market: Market) {
    return market.candles$() as never;
  }
}
export class Keeps extends CandleStrategy(
  {},
  { state: { step: 0, entry: null as string | null, levels: [] as { price: string }[] }, stateVersion: 2, migrateState: (old, { version }) => ({ step: version, entry: null, levels: [] }) },
) {
  readonly copy = { ...this.state };
  onCandle() {}
}
export class KeepsStreams extends Strategy({}, { state: { step: 0 } }) {
  intents() {
    return undefined as never;
  }
}
export const context = (given: StrategyContext) => ({ ...given });
export const market = (given: Market) => ({ ...given });
export const verdict = (given: Verdict) => given.decision;
export const halt = (given: Halt) => given.reason;
export const order = (given: Order) => [given.request, given.state] as const;
export const event = (given: AccountEvent) => ({ ...given });
export const values = (fill: Fill, position: Position) => [fill.price, fill.quantity, position.quantity] as const;
`;

describe('type declarations of strategies', () => {
  it('can be written for a new strategy', { timeout: 60_000 }, async () => {
    const folder = await aProject();
    await runCommand(folder, ['new', 'strategy', 'my-idea']);

    expect(complaintsOf(path.join(folder, 'strategies/my-idea/my-idea.strategy.ts'))).toEqual([]);
  });

  it('use only names that the package exports', { timeout: 60_000 }, async () => {
    const folder = await aProject();
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
    const file = path.join(folder, 'everything.ts');
    await writeFile(file, EVERYTHING);

    expect(complaintsOf(file)).toEqual([]);
  });
});
