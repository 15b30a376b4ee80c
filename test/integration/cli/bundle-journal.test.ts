import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { packBundle, unpackBundle, type BundledFile } from '../../../src/cli/bundle/bundle-file.js';
import { botFolder } from '../../support/cli/bot-folder.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const BUNDLE = 'run.bundle';
const PACK = ['bundle', 'bot.journal', '--config', 'bot.yaml', '--out', BUNDLE];
const SET = ['--to', '2025-01-20', '--set', 'strategy.parameters.fast=5'];

/** A folder with the journal of a run of some days. The run sets another parameter. */
async function journalled(): Promise<string> {
  const folder = await botFolder();
  const run = await runCommand(folder, [
    'backtest',
    'bot.yaml',
    ...SET,
    '--journal',
    'bot.journal',
  ]);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  return folder;
}

async function pack(): Promise<{ readonly folder: string; readonly bundle: Buffer }> {
  const folder = await journalled();
  expect(await runCommand(folder, PACK)).toMatchObject({ exitCode: 0, stderr: '' });
  return { folder, bundle: await readFile(path.join(folder, BUNDLE)) };
}

async function elsewhere(bytes: Uint8Array): Promise<string> {
  const other = await temporaryFolder();
  await writeFile(path.join(other, BUNDLE), bytes);
  return other;
}

/** The files of a bundle after SQL has changed its journal, as another program might do. */
async function altered(bundle: Buffer, sql: string): Promise<readonly BundledFile[]> {
  const file = path.join(await temporaryFolder(), 'x.journal');
  const files = unpackBundle(bundle, BUNDLE);
  await writeFile(file, files.find(({ name }) => name === 'run.journal')?.bytes ?? '');
  const db = new Database(file);
  expect(db.prepare(sql).run().changes).toBeGreaterThan(0);
  db.close();
  const bytes = await readFile(file);
  return files.map((one) => (one.name === 'run.journal' ? { ...one, bytes } : one));
}

describe('bundle and verify of a journal', () => {
  it('give the same commands in another folder without other files', async () => {
    const { folder, bundle } = await pack();
    const other = await elsewhere(bundle);
    await rm(folder, { recursive: true });

    const run = await runCommand(other, ['verify', BUNDLE]);

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(
      /^run\.bundle: equal, \d+ events and [1-9]\d* commands of 1 epoch, made by engine /,
    );
    expect(await readdir(other)).toEqual([BUNDLE]);
  });

  it('contain config, plugin and journal, and no candles beside the journal', async () => {
    const { bundle } = await pack();

    const names = unpackBundle(bundle, BUNDLE).map(({ name }) => name);

    expect(names).toEqual([
      'manifest.json',
      'run.journal',
      'config.yaml',
      'plugin/sma.strategy.ts',
    ]);
  });

  it('do not change the journal', async () => {
    const folder = await journalled();
    const before = await readFile(path.join(folder, 'bot.journal'));

    await runCommand(folder, PACK);

    expect(await readFile(path.join(folder, 'bot.journal'))).toEqual(before);
  });

  it('reject a bundle with a flipped bit', async () => {
    const { bundle } = await pack();
    for (const at of [0, 20, 90, bundle.length >> 1, bundle.length - 1]) {
      const changed = Buffer.from(bundle);
      changed[at] = (changed[at] ?? 0) ^ 4;
      const run = await runCommand(await elsewhere(changed), ['verify', BUNDLE]);
      expect(run.exitCode, `byte ${String(at)}`).toBe(1);
      expect(run.stderr).toMatch(/E_BUNDLE_(DAMAGED|FORMAT)/);
    }
  });

  it('name the epoch in which a journal was altered', async () => {
    const { bundle } = await pack();
    const files = await altered(
      bundle,
      'DELETE FROM commands WHERE event = (SELECT MAX(event) FROM commands)',
    );

    const run = await runCommand(await elsewhere(packBundle(files)), ['verify', BUNDLE]);

    expect(run.exitCode).toBe(3);
    expect(run.stdout).toMatch(/differs, made by [^\n]+\n {2}epoch 1: /);
  });

  it('do not pack the journal of another strategy', async () => {
    const folder = await journalled();
    const plugin = path.join(folder, 'sma.strategy.ts');
    await writeFile(plugin, (await readFile(plugin, 'utf8')).replace(`'0.95'`, `'0.9'`));

    const run = await runCommand(folder, PACK);

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(/^the plugin differs from that of epoch 1: [^]*\(E_REPLAY_INPUTS\)/);
    expect(await readdir(folder)).not.toContain(BUNDLE);
  });
});
