import { readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { botFolder } from '../../support/cli/bot-folder.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const MAIN = path.resolve(import.meta.dirname, '../../../dist/cli/main.js');

/** A client of a server that works in a folder with a bot and its candles. */
async function connect(...flags: readonly string[]): Promise<{ client: Client; folder: string }> {
  const folder = await botFolder();
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp', '--root', folder, ...flags],
    }),
  );
  onTestFinished(() => client.close());
  return { client, folder };
}

async function call(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<{ isError: boolean; texts: readonly string[] }> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const texts = content.map((part) => (part.type === 'text' ? part.text : ''));
  return { isError: isError === true, texts };
}

/** Ids of the processes whose working folder is `folder`. Empty on systems without /proc. */
async function processesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir('/proc').catch(() => []);
  const working = await Promise.all(
    names.map(async (name) =>
      (await readlink(`/proc/${name}/cwd`).catch(() => '')) === folder ? name : undefined,
    ),
  );
  return working.filter((name) => name !== undefined);
}

describe('mcp', () => {
  it('runs a backtest, stores its document, and returns the figures with shortened lists', async () => {
    const { client, folder } = await connect();

    const { isError, texts } = await call(client, 'backtest', {
      config: 'bot.yaml',
      set: ['strategy.parameters.fast=5'],
    });

    expect(isError).toBe(false);
    expect(texts[0]).toContain('Final equity');
    const [file = '', text = ''] = (texts.at(-1) ?? '').split('\n');
    expect(file).toBe(path.join('results', 'backtest-1.json'));
    const told = JSON.parse(text) as { readonly fills: readonly unknown[]; readonly hash: unknown };
    const kept = JSON.parse(await readFile(path.join(folder, file), 'utf8')) as typeof told;
    expect(told.hash).toEqual(kept.hash);
    expect(kept.fills.length).toBeGreaterThan(20);
    expect(told.fills).toHaveLength(21);
    expect(told.fills.at(-1)).toContain(`more in ${file}`);
  });

  it('adds each run as a trial, which trials counts', async () => {
    const { client, folder } = await connect();

    for (const fast of ['5', '6', '5'])
      await call(client, 'backtest', {
        config: 'bot.yaml',
        set: [`strategy.parameters.fast=${fast}`],
      });
    const ledger = (await readdir(folder)).find((name) => name.endsWith('.trials.jsonl'));
    const { texts } = await call(client, 'trials', { ledger });

    expect(texts.join('\n')).toMatch(/"trials":2/);
  });

  it('reports errors like the command line, and stays usable', async () => {
    const { client, folder } = await connect();

    const wrong = await call(client, 'backtest', { config: 'bot.yaml', set: ['simulation.fee=1'] });
    const outside = await call(client, 'backtest', { config: '../bot.yaml' });
    const set = ['simulation.archive=/srv/data'];
    const elsewhere = await call(client, 'backtest', { config: 'bot.yaml', set });
    const unknown = await call(client, 'backtest', { config: 'bot.yaml', json: 'x' });

    expect(wrong).toMatchObject({
      isError: true,
      texts: [expect.stringContaining('did you mean "fees"?')],
    });
    expect(outside).toMatchObject({
      isError: true,
      texts: [expect.stringContaining('E_MCP_PATH')],
    });
    expect(elsewhere).toMatchObject({
      isError: true,
      texts: [expect.stringContaining('E_MCP_PATH')],
    });
    expect(unknown.isError).toBe(true);
    expect(await readdir(path.join(folder, 'results'))).toEqual([]);
    expect((await call(client, 'runs', {})).isError).toBe(false);
  });

  it.each(['results', 'data.trials.jsonl'])(
    'writes nothing through the link %s out of the root',
    async (name) => {
      const { client, folder } = await connect();
      const other = await temporaryFolder();
      await rm(path.join(folder, name), { force: true, recursive: true });
      await symlink(path.join(other, 'made'), path.join(folder, name));

      const { isError, texts } = await call(client, 'sweep', {
        config: 'bot.yaml',
        grid: 'fast=5:6:1',
      });

      expect({ isError, texts }).toEqual({
        isError: true,
        texts: [expect.stringContaining('a symbolic link that leads out of it (E_MCP_PATH)')],
      });
      expect(await readdir(other)).toEqual([]);
    },
  );

  it('ends a canceled call, and keeps no file of it', async () => {
    const { client, folder } = await connect();
    const controller = new AbortController();
    const call = client.callTool(
      {
        name: 'sweep',
        arguments: { config: 'bot.yaml', grid: 'fast=2:200:1,slow=3:400:1', jobs: '1' },
      },
      { signal: controller.signal },
    );
    setTimeout(() => {
      controller.abort();
    }, 1_500);

    await expect(call).rejects.toThrow();
    await expect.poll(() => readdir(path.join(folder, 'results')), { timeout: 10_000 }).toEqual([]);
    expect(await processesIn(folder)).toEqual([]);
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  });

  it('ends its calls when the session ends, and keeps no file of them', async () => {
    const { client, folder } = await connect();
    const grid = 'fast=2:200:1,slow=3:400:1';
    const sweep = { name: 'sweep', arguments: { config: 'bot.yaml', grid, jobs: '1' } };
    const calls = [client.callTool(sweep), client.callTool(sweep)];
    const ended = Promise.allSettled(calls);
    const results = path.join(folder, 'results');
    await expect
      .poll(() => readdir(results).catch(() => []), { timeout: 10_000 })
      .toEqual(['sweep-1.json']);

    await client.close();

    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect.poll(() => processesIn(folder), { timeout: 10_000 }).toEqual([]);
    expect(await readdir(results)).toEqual([]);
  });

  it('offers the docs, the error codes, and with --control tools that lower risk', async () => {
    const { client } = await connect('--control');

    const { resources } = await client.listResources();
    const page = await client.readResource({ uri: 'evenkeel://docs/strategies' });
    const code = await client.readResource({ uri: 'evenkeel://errors/E_DATA_MISSING' });
    const { tools } = await client.listTools();

    expect(resources.length).toBeGreaterThan(20);
    expect(page.contents[0]).toMatchObject({ text: expect.stringContaining('# ') as string });
    expect(code.contents[0]).toMatchObject({ text: expect.stringMatching(/\w/) as string });
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['pause', 'halt']));
    expect(tools.map(({ name }) => name)).not.toEqual(expect.arrayContaining(['resume']));
    expect((await call(client, 'halt', { bot: 'bot.yaml' })).isError).toBe(true);
  });

  it('rejects a folder of results outside of the root', async () => {
    const folder = await botFolder();

    const run = await runCommand(folder, ['mcp', '--results', '../results']);

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(
      `--results: expected a path within ${folder}, received ../results (E_MCP_PATH)`,
    );
  });
});
