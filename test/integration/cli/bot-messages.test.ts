import { describe, expect, it } from 'vitest';
import { botFolder } from '../../support/cli/bot-folder.js';
import { botYaml } from '../../support/cli/bot-yaml.js';
import { runCommand, type CommandRun } from '../../support/cli/command-runner.js';

// The exact texts of bots and of the commands that control them, at an exchange in this process.

const SILENT =
  "import { CandleStrategy } from 'evenkeel';\nexport class Sma extends CandleStrategy() {\n  override onCandle(): void {}\n}\n";

/** A command that runs until it is ended, and its output so far. */
interface Begun {
  readonly written: { stdout: string; stderr: string };
  readonly ended: Promise<CommandRun>;
  readonly end: () => Promise<CommandRun>;
}

function begin(cwd: string, argv: readonly string[]): Begun {
  const abort = new AbortController();
  const written = { stdout: '', stderr: '' };
  const output = (stream: 'stdout' | 'stderr') => ({
    write: (text: string) => void (written[stream] += text),
    isTerminal: false,
    columns: undefined,
  });
  const ended = runCommand(cwd, argv, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    signal: abort.signal,
  });
  return {
    written,
    ended,
    end: () => {
      abort.abort(new Error('interrupted'));
      return ended;
    },
  };
}

/** A folder with a bot on paper, and the exchange that it names. */
async function market(
  options: readonly string[],
): Promise<{ readonly folder: string; readonly exchange: Begun }> {
  const exchange = begin('/', [...'exchange --port 0 --synthetic 7 --json'.split(' '), ...options]);
  await expect.poll(() => exchange.written.stdout, { timeout: 20_000 }).toContain('"url"');
  const { url } = JSON.parse(exchange.written.stdout) as { url: string };
  const yaml = botYaml('[1h]', '[1min]', botYaml('  parameters: { fast: 10, slow: 30 }\n', ''));
  const folder = await botFolder({
    yaml: `${yaml}venue: { spotUrl: "${url}" }\n`,
    plugin: SILENT,
    candles: 'none',
  });
  return { folder, exchange };
}

const paper = ['paper', 'bot.yaml', '--accept-findings', '--log', 'json'];

describe('a bot', () => {
  it('9: reports why it refuses an exchange whose clock runs faster', async () => {
    const { folder, exchange } = await market(['--clock', 'accelerated', '--speed', '60']);

    const bot = begin(folder, paper);
    const { exitCode } = await bot.ended;
    await exchange.end();

    expect(exitCode).toBe(2);
    expect(bot.written.stderr).toMatch(
      /^sma-crossover-btc has failed: sma-crossover-btc venue\.spotUrl: expected a venue whose clock runs as fast as this machine's: a bot's timers, polls and limits follow it, received a clock that runs \d+ times as fast; start the exchange with --clock realtime; for long periods use "parity" or "backtest" \(E_VENUE_CLOCK\)\n$/,
    );
  });

  it('10: answers halt and flatten with its new state', async () => {
    const { folder, exchange } = await market([]);
    const bot = begin(folder, paper);
    await expect.poll(() => bot.written.stdout, { timeout: 30_000 }).toContain('"to":"running"');
    const tell = async (...words: readonly string[]): Promise<string> =>
      (await runCommand(folder, [...words])).stdout;

    const halted = await tell('halt', 'bot.yaml', '--reason', 'news');
    const flat = await tell('flatten', 'bot.yaml');
    const status = await tell('status', 'bot.yaml');
    const resumed = await tell('resume', 'bot.yaml');
    await bot.end();
    await exchange.end();

    expect(halted).toBe('sma-crossover-btc (paper) received halt and is halted (news)\n');
    expect(flat).toBe(
      'sma-crossover-btc (paper) received flatten and is halted (flattened by the operator)\n',
    );
    expect(status.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^sma-crossover-btc {2}paper {2}halted since /),
      '  because    flattened by the operator',
    ]);
    expect(resumed).toBe('sma-crossover-btc (paper) received resume and is running\n');
  });
});
