import { join } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';

import { botFolder } from '../../support/cli/bot-folder.js';
import { runCommand } from '../../support/cli/command-runner.js';

/** A strategy that counts its candles and runs `atTenth` at the tenth. */
function plugin(atTenth: string): string {
  return `import { CandleStrategy, int, sma } from 'evenkeel';

export class Counter extends CandleStrategy(
  { fast: int(2, 200, 10), slow: int(3, 400, 30) },
  { state: { candles: 0, more: {} as Record<string, unknown> } },
) {
  override onCandle(): void {
    this.state.candles += 1;
    if (this.state.candles === 10) ${atTenth}
    if (this.state.candles % 20 === 1) this.enterLong({ notional: '100' });
  }
}
`;
}

const COUNTER = plugin('this.state.more = { "is ten": true };');

describe('a backtest of a strategy with state', () => {
  it('is replayed and explained with the same state', async () => {
    const folder = await botFolder({ plugin: COUNTER });
    await runCommand(folder, ['backtest', 'bot.yaml', '--journal', 'run.db']);

    const replayed = await runCommand(folder, ['replay', 'run.db', '--config', 'bot.yaml']);
    const ask = (at: string, ...more: readonly string[]) =>
      runCommand(folder, ['why', 'run.db', '--config', 'bot.yaml', '--at', at, ...more]);
    const [before, ninth, tenth] = [
      await ask('2024-12-31T00:00:00Z'),
      await ask('2025-01-01T09:00:00Z'),
      await ask('2025-01-01T10:30:00Z', '--json', '-'),
    ];

    expect(replayed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(replayed.stdout).toMatch(/: identical /);
    expect(before.stdout).toMatch(/^state +\{"candles":0,"more":\{\}\}$/m);
    expect(ninth.stdout).toMatch(/^state +\{"candles":9,"more":\{\}\}$/m);
    expect(JSON.parse(tenth.stdout)).toMatchObject({
      state: { candles: 10, more: { 'is ten': true } },
    });
  });

  it('diverges in a replay if the stored state was altered', async () => {
    const folder = await botFolder({ plugin: COUNTER });
    await runCommand(folder, ['backtest', 'bot.yaml', '--journal', 'run.db']);
    const db = new Database(join(folder, 'run.db'));
    db.prepare("UPDATE states SET body = replace(body, '10', '11') WHERE body LIKE '%:10,%'").run();
    db.close();

    const replayed = await runCommand(folder, ['replay', 'run.db', '--config', 'bot.yaml']);

    expect(replayed).toMatchObject({ exitCode: 3 });
    expect(replayed.stderr).toContain('E_REPLAY_DIVERGED');
  });

  it.each([
    [
      'this.state.more = { since: new Date(0) };',
      'state.more.since: expected null, a boolean, a finite number, a string, a list or a plain object, received an instance of Date',
      'E_STATE_VALUE',
    ],
    [
      "this.state.more = { text: 'a'.repeat(70_000) };",
      'state: expected at most 65536 bytes as JSON, received 70033',
      'E_STATE_SIZE',
    ],
  ])(
    'reports a state that cannot be stored, and where it is declared: %s',
    async (atTenth, problem, code) => {
      const folder = await botFolder({ plugin: plugin(atTenth) });

      const recorded = await runCommand(folder, ['backtest', 'bot.yaml', '--journal', 'run.db']);
      const plain = await runCommand(folder, ['backtest', 'bot.yaml']);

      const message = (event: string): string =>
        `sma.strategy.ts:3:44: Counter: ${problem} (while processing ${event}) (${code})\n`;
      expect(recorded.exitCode).toBe(1);
      expect(recorded.stderr).toBe(message('candles spot:BTCUSDT 1h at 2025-01-01T10:00:00Z'));
      expect(plain.exitCode).toBe(1);
      expect(plain.stderr).toMatch(/sma\.strategy\.ts:3:44: Counter: state/);
      expect(plain.stderr).toContain(`${problem} (while processing `);
    },
  );

  it('is refused by check if the initial state cannot be stored', async () => {
    const folder = await botFolder({
      plugin: COUNTER.replace('candles: 0,', 'candles: Number.NaN,'),
    });

    const run = await runCommand(folder, ['check', 'bot.yaml']);

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('state.candles: expected null, a boolean, a finite number');
    expect(run.stderr).toContain(':3:');
  });
});
