import { spawnSync } from 'node:child_process';
import { access, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { openArchive } from '../../../src/archive/index.js';
import { createInstrumentId, HOUR_MS } from '../../../src/domain/index.js';
import { columnsFrom } from '../../support/candle-columns.js';
import { buildResult, writeResult } from '../../../src/report/index.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { createTrialRunner } from '../../support/cli/inline-trials.js';
import { aRunRecord } from '../../support/run-records.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** The compiled program: `npm test` compiles before it tests. */
const MAIN = path.resolve(import.meta.dirname, '../../../dist/cli/main.js');
const ROOT = path.resolve(import.meta.dirname, '../../..');
const BOT = 'config/sma-crossover.backtest.yaml';

/** The data that a page contains. */
async function dataOf(file: string): Promise<Record<string, unknown>> {
  const text = /id="data">(.*?)<\/script>/s.exec(await readFile(file, 'utf8'))?.[1] ?? '';
  return JSON.parse(text) as Record<string, unknown>;
}

describe('report', () => {
  it('writes the same file for the same run and prints its path, and runs finds results again', async () => {
    const folder = await temporaryFolder();
    const at = (name: string): string => path.join(folder, name);
    const run = ['backtest', BOT, '--no-ledger', '--to', '2024-08-05'];
    const first = await runCommand(ROOT, [
      ...run,
      '--report',
      at('a.html'),
      '--json',
      at('a.json'),
    ]);
    await runCommand(ROOT, [...run, '--report', at('b.html')]);
    const candles = await runCommand(ROOT, [
      'report',
      at('a.json'),
      '--config',
      BOT,
      '--out',
      at('c.html'),
    ]);
    await copyFile(at('a.json'), at('plain.json'));
    const none = await runCommand(ROOT, ['report', at('plain.json')]);

    expect([first.exitCode, candles.stderr, none.exitCode]).toEqual([0, '', 0]);
    expect(first.stdout).toContain(`Report    ${at('a.html')}`);
    expect(await readFile(at('b.html'), 'utf8')).toBe(await readFile(at('a.html'), 'utf8'));
    expect(await readFile(at('c.html'), 'utf8')).toBe(await readFile(at('a.html'), 'utf8'));
    expect((await dataOf(at('plain.html')))['noCandles']).toContain(
      'report RESULT --config BOT.yaml',
    );

    const changed = await readFile(at('a.json'), 'utf8');
    await writeFile(at('d.json'), changed.replace(/"dataHash": "[0-9a-f]/, '"dataHash": "g'));
    await runCommand(ROOT, ['report', at('d.json'), '--config', BOT]);
    expect((await dataOf(at('d.html')))['notes']).toContainEqual(
      expect.objectContaining({
        label: 'Candles',
        lines: [expect.stringContaining('another hash than the data of the run')],
      }),
    );
    await rm(at('d.json'));

    const result = JSON.parse(await readFile(at('a.json'), 'utf8')) as { run: { id: string } };
    await writeFile(at('other.json'), '{}');
    await rm(at('plain.json'));
    const listed = await runCommand(ROOT, ['runs', folder]);
    const found = await runCommand(ROOT, [
      'runs',
      folder,
      '--find',
      result.run.id.slice(0, 6),
      '--json',
      '-',
    ]);
    const lost = await runCommand(ROOT, ['runs', folder, '--find', 'ffffffffffff']);
    expect(listed.stdout).toContain('fast 10, slow 30');
    expect(listed.stderr).toContain('1 other JSON');
    expect(JSON.parse(found.stdout)).toMatchObject([
      { id: result.run.id, strategy: 'SmaCrossover' },
    ]);
    expect([lost.exitCode, lost.stderr]).toEqual([1, expect.stringContaining('E_RUN_UNKNOWN')]);
  });

  it('shows on terminal and page that rules are used from before their first record', async () => {
    const folder = await temporaryFolder();
    const archive = openArchive(folder);
    const BTC = createInstrumentId('spot', 'BTCUSDT');
    const start = Date.parse('2025-01-01');
    await archive.merge(
      { instrumentId: BTC, interval: '1h', columns: columnsFrom(start, 100, HOUR_MS) },
      { source: 'test', volumeUnit: 'base' },
    );
    const rules = { tradable: true, pricePrecision: 2, quantityPrecision: 5 };
    await archive.mergeRules(BTC, [{ from: Date.parse('2025-01-04'), rules }], { source: 'test' });
    await writeFile(
      path.join(folder, 'bot.yaml'),
      `name: early
strategy: { path: ${path.join(ROOT, 'strategies/sma-crossover/sma-crossover.strategy.ts')} }
instruments: [{ product: spot, symbol: BTCUSDT, intervals: [1h] }]
simulation:
  archive: .
  from: 2025-01-03
  balances: { USDT: "10000" }
  fees: { maker: "0.001", taker: "0.001" }
`,
    );

    const run = await runCommand(folder, ['backtest', 'bot.yaml', '--report', 'page.html']);

    const line = 'rules of BTCUSDT are those seen on 2025-01-04; used for 2025-01-03 to 2025-01-04';
    expect(run.exitCode).toBe(0);
    expect(`${run.stdout}${run.stderr}`.replaceAll(/\s+/g, ' ')).toContain(line);
    expect(JSON.stringify(await dataOf(path.join(folder, 'page.html')))).toContain(line);
  });

  it('shows a judgment beside a sweep, and refuses it beside the result of a run', async () => {
    const folder = await temporaryFolder();
    const at = (name: string): string => path.join(folder, name);
    await runCommand(ROOT, [
      'backtest',
      BOT,
      '--no-ledger',
      '--to',
      '2024-09-05',
      '--json',
      at('run.json'),
    ]);
    const judge = await runCommand(ROOT, ['significance', at('run.json'), '--json', at('j.json')]);

    const beside = await runCommand(ROOT, [
      ...['report', at('run.json'), '--significance', at('j.json'), '--out', at('run.html')],
    ]);

    const ledger = ['--ledger', at('trials.jsonl'), '--json', at('sweep.json')];
    await runCommand(
      ROOT,
      ['sweep', BOT, '--to', '2024-10-01', '--grid', 'fast=5|6|7,slow=30', ...ledger],
      { createTrialRunner },
    );
    await runCommand(ROOT, ['significance', at('trials.jsonl'), '--json', at('judged.json')]);
    const judged = ['--significance', at('judged.json'), '--out', at('sweep.html')];
    const shown = await runCommand(ROOT, ['report', at('sweep.json'), ...judged]);
    const alone = await runCommand(ROOT, ['report', at('sweep.json'), '--out', at('alone.html')]);

    expect([shown.stderr, alone.stderr]).toEqual(['', '']);
    expect((await dataOf(at('sweep.html')))['significance']).toMatchObject({
      notes: expect.arrayContaining([expect.anything()]) as unknown,
    });
    expect((await dataOf(at('alone.html')))['significance']).toBeNull();
    expect(judge.exitCode).toBe(0);
    expect(beside).toMatchObject({ exitCode: 2, stdout: '' });
    expect(beside.stderr).toContain(
      '--significance: expected the document of a sweep or walk-forward beside it, received ',
    );
  });

  it('refuses invalid results without writing, and shows what an old result lacks', async () => {
    const folder = await temporaryFolder();
    const at = (name: string): string => path.join(folder, name);
    await runCommand(ROOT, [
      'backtest',
      BOT,
      '--no-ledger',
      '--to',
      '2024-07-20',
      '--json',
      at('now.json'),
    ]);
    const text = await readFile(at('now.json'), 'utf8');
    await mkdir(at('folder'));
    const bad = {
      'cut.json': text.slice(0, text.length / 2),
      'next.json': text.replace('"version": 2', '"version": 3'),
      'empty.json': '',
    };
    for (const [name, content] of Object.entries(bad)) await writeFile(at(name), content);

    for (const [name, code] of [
      ['cut.json', 'E_RESULT_FORMAT'],
      ['next.json', 'E_RESULT_VERSION'],
      ['empty.json', 'E_RESULT_FORMAT'],
      ['none.json', 'E_RESULT_READ'],
    ] as const) {
      const { exitCode, stderr } = await runCommand(ROOT, [
        'report',
        at(name),
        '--out',
        at('bad.html'),
      ]);
      expect([exitCode === 0, stderr]).toEqual([false, expect.stringContaining(code)]);
      await expect(access(at('bad.html'))).rejects.toThrow();
    }

    for (const [kind, read] of [
      ['run', '1 or 2'],
      ['sweep', '1'],
      ['walkForward', '1'],
      ['audit', '1'],
    ] as const) {
      const name = `${kind}.json`;
      await writeFile(at(name), JSON.stringify({ version: 9, [kind]: {} }, undefined, 2));
      const { stderr } = await runCommand(ROOT, ['report', at(name), '--out', at('bad.html')]);
      expect(stderr).toContain(`${name}: version: expected ${read}, received 9 (E_RESULT_VERSION)`);
      await expect(access(at('bad.html'))).rejects.toThrow();
    }

    await writeFile(at('sweep.json'), '{\n  "version": 1,\n  "sweep": {}\n}\n');
    const mixed = await runCommand(ROOT, ['report', at('now.json'), at('sweep.json')]);
    expect([mixed.exitCode, mixed.stderr]).toEqual([2, expect.stringContaining('of a sweep')]);
    await expect(access(at('now.html'))).rejects.toThrow();

    const added = [
      'trades',
      'tradeTotals',
      'breakdowns',
      'benchmark',
      'flows',
      'undecided',
      'config',
    ];
    const members = Object.entries(JSON.parse(text) as object).filter(
      ([key]) => !added.includes(key),
    );
    const old: object = Object.fromEntries(members);
    await writeFile(at('old.json'), JSON.stringify({ ...old, version: 1 }));
    const { exitCode } = await runCommand(ROOT, [
      'report',
      at('old.json'),
      '--out',
      at('old.html'),
    ]);
    const page = await dataOf(at('old.html'));
    expect([exitCode, page['trades']]).toEqual([0, null]);
    expect(JSON.stringify(page['notes'])).toContain('The file is of version 1');
  });
});

describe.skipIf(process.platform === 'win32')(
  'report of more results than files may be open',
  () => {
    it('compares them all', async () => {
      const folder = await temporaryFolder();
      const text = writeResult(buildResult(aRunRecord()));
      const names = Array.from({ length: 150 }, (_, index) => `r${String(index)}.json`);
      for (const name of names) await writeFile(path.join(folder, name), text);

      const { status, stderr } = spawnSync(
        'sh',
        [
          '-c',
          'ulimit -n 100; exec "$@" --out page.html',
          'sh',
          process.execPath,
          MAIN,
          'report',
          ...names,
        ],
        { cwd: folder, encoding: 'utf8' },
      );

      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect((await dataOf(path.join(folder, 'page.html')))['runs']).toHaveLength(names.length);
    });
  },
);
