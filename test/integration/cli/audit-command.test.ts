import { describe, expect, it } from 'vitest';
import { parseResult } from '../../../src/report/index.js';
import { auditSchema, type Audit } from '../../../src/research/index.js';
import { botFolder } from '../../support/cli/bot-folder.js';
import { runCommand, type CommandRun } from '../../support/cli/command-runner.js';
import { CHEATERS } from '../../support/research/audit-cheaters.js';
import { auditFolder } from '../../support/research/audit-folder.js';
import { createAuditRunner } from '../../support/research/audit-runners.js';
import { drawHonestStrategy } from '../../support/research/honest-strategies.js';

const isLong = process.env['EVENKEEL_LONG'] === '1';
const HONEST = isLong ? 50 : 2;
const INSTANTS = isLong ? '12' : '1';
const PATIENCE_MS = 600_000;

/** Names of parts by their keys in the document. */
const PART = {
  lookAhead: 'look-ahead',
  determinism: 'determinism',
  warmUp: 'warm-up',
  order: 'order',
} as const;

const audit = (folder: string, ...args: readonly string[]): Promise<CommandRun> =>
  runCommand(folder, ['audit', 'bot.yaml', ...args], { createAuditRunner });

const parse = (text: string): Audit => auditSchema.parse(JSON.parse(text));

describe('audit', () => {
  it('prints on one page the comparisons that it made', async () => {
    const folder = await botFolder();

    const run = await audit(
      folder,
      '--instants',
      '2',
      '--only',
      'look-ahead,determinism,warm-up,order',
    );

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout.replace(/\d+ steps/, 'N steps')).toBe(
      `${[
        'Sma, fast 10, slow 30, 2025-01-02T05:00:00Z to 2025-02-01',
        '28 backtests, seed 1',
        '',
        'Look-ahead  passed    2 instants, with later candles cut off, replaced by noise, or one candle earlier: N steps compared',
        'Determinism passed    28 orders and cancels: compared with a second run, in another thread at another time, with another seed',
        'Warm-up     passed    4 starts with a warm-up of 31 candles, compared with longer warm-ups (a lookback is 50 candles)',
        'Order       not done  no two instruments have candles at the same instants',
        '',
        'more lookbacks  decisions  changed   share',
        '──────────────  ─────────  ───────  ──────',
        '             1         26        0  0.00 %',
        '             2         26        0  0.00 %',
        '             5         26        0  0.00 %',
        '',
        'nothing found',
      ].join('\n')}\n`,
    );
  });

  it('writes the same bytes twice, and draws differently with another seed', async () => {
    const folder = await botFolder();
    const args = ['--instants', '2', '--only', 'determinism,look-ahead', '--json', '-'];

    const [one, two] = [await audit(folder, ...args), await audit(folder, ...args)];
    const other = await audit(folder, ...args, '--seed', '2');

    expect(two).toEqual(one);
    const { lookAhead, determinism, warmUp, order } = parse(one.stdout);
    expect([lookAhead?.verdict, determinism?.verdict, warmUp, order]).toEqual([
      'passed',
      'passed',
      undefined,
      undefined,
    ]);
    expect(parse(other.stdout).lookAhead?.compared).not.toBe(lookAhead?.compared);
  });

  it('shows the results of backtests with other costs, latency and path', async () => {
    const folder = await botFolder();
    const backtest = async (...settings: readonly string[]): Promise<string> => {
      const set = settings.flatMap((setting) => ['--set', setting]);
      const { stdout } = await runCommand(folder, ['backtest', 'bot.yaml', '--json', '-', ...set]);
      return parseResult(stdout, 'result').equity.final;
    };

    const run = await audit(folder, '--only', 'sensitivity', '--json', '-');

    const rows = parse(run.stdout).sensitivity?.rows ?? [];
    const final = new Map(rows.map(({ value, figures }) => [value, figures?.finalEquity]));
    expect([...final.keys()]).toEqual([
      ...['× 0', '× 1', '× 2', '× 5'],
      ...['+ 100 ms', '+ 1000 ms', '+ 10000 ms'],
      ...['nearest', 'high-first', 'low-first'],
    ]);
    expect(final.get('× 1')).toBe(await backtest());
    expect(final.get('× 5')).toBe(
      await backtest('simulation.fees.maker="0.005"', 'simulation.fees.taker="0.005"'),
    );
    expect(final.get('+ 10000 ms')).toBe(await backtest('simulation.latencyMs=10000'));
    expect(final.get('low-first')).toBe(await backtest('simulation.path=low-first'));
  });

  it('refuses unknown parts', async () => {
    const run = await audit('/', '--only', 'look-ahead,luck');

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(
      'expected parts of look-ahead, determinism, warm-up, order, sensitivity, ablation, capacity, received "luck"',
    );
  });

  it('ends with the error of the plain run if that fails', async () => {
    const plugin = `import { CandleStrategy, int } from 'evenkeel';
export class Broken extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) {
  override onCandle(): void {
    throw new Error('no idea');
  }
}
`;
    const run = await audit(await botFolder({ plugin }));

    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain('no idea');
  });

  it('ends with 130 when it is interrupted', async () => {
    const interrupt = new AbortController();
    const folder = await botFolder();

    const run = await runCommand(folder, ['audit', 'bot.yaml'], {
      signal: interrupt.signal,
      createAuditRunner: (setup, jobs) => {
        interrupt.abort(new Error('interrupted'));
        return createAuditRunner(setup, jobs);
      },
    });

    expect(run).toEqual({ exitCode: 130, stdout: '', stderr: 'interrupted\n' });
  });
});

describe('a strategy that cheats', { timeout: PATIENCE_MS }, () => {
  it.each(Object.entries(CHEATERS))('is detected if it %s', async (_name, cheater) => {
    const folder = await auditFolder(cheater.plugin);

    const run = await audit(folder, '--only', PART[cheater.part], '--json', '-');

    const document = parse(run.stdout);
    const section = document[cheater.part];
    expect({ exitCode: run.exitCode, verdict: section?.verdict }).toEqual({
      exitCode: 3,
      verdict: 'violated',
    });
    expect(section?.findings.join('\n')).toMatch(cheater.named);
  });
});

describe('an honest strategy', { timeout: PATIENCE_MS }, () => {
  it.each(Array.from({ length: HONEST }, (_, seed) => seed))(
    'of seed %i raises no alarm',
    async (seed) => {
      const folder = await auditFolder(drawHonestStrategy(seed));

      const parts = ['--only', 'look-ahead,determinism,warm-up,order'];
      const run = await audit(folder, ...parts, '--instants', INSTANTS, '--json', '-');

      const { lookAhead, determinism, warmUp, order } = parse(run.stdout);
      const findings = [lookAhead, determinism, warmUp, order].map((part) => part?.findings);
      expect({ exitCode: run.exitCode, findings }).toEqual({
        exitCode: 0,
        findings: [[], [], [], []],
      });
      expect(determinism?.commands).toBeGreaterThan(0);
    },
  );
});
