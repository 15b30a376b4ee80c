import { access, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callCommand } from '../../../../src/cli/mcp/call-command.js';
import { commandWords } from '../../../../src/cli/mcp/command-words.js';
import { cutLists } from '../../../../src/cli/mcp/cut-lists.js';
import { errorCodes, listPages } from '../../../../src/cli/mcp/list-documents.js';
import { listTools, type CommandTool } from '../../../../src/cli/mcp/list-tools.js';
import { requireInputWithin } from '../../../../src/cli/mcp/require-within.js';
import { createProgram } from '../../../../src/cli/run-cli.js';
import { aCliContext } from '../../../support/cli/cli-context.js';
import { present } from '../../../../src/domain/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const ROOT = '/srv/trading';
const program: Command = await createProgram(aCliContext().context);
const toolNamed = (name: string, control = false): CommandTool =>
  present(
    listTools(program, { control }).find((tool) => tool.name === name),
    name,
  );

describe('listTools', () => {
  it('lists the commands for research and reading, and pause and halt only with control', () => {
    const names = listTools(program, { control: false }).map(({ name }) => name);

    expect(names).toEqual([
      ...['backtest', 'sweep', 'walk_forward', 'monte_carlo', 'audit', 'fuzz', 'significance'],
      ...['check', 'trials', 'runs', 'why', 'status', 'data_list', 'data_show'],
    ]);
    expect(listTools(program, { control: true }).map(({ name }) => name)).toEqual([
      ...names,
      'pause',
      'halt',
    ]);
  });

  it('gives tools the options of the command line, except those that write, call a venue or do not end', () => {
    const { input } = toolNamed('backtest');

    expect(input.required).toEqual(['config']);
    expect(Object.keys(input.properties)).toEqual(
      expect.arrayContaining(['config', 'from', 'to', 'set', 'bounds', 'benchmark', 'curve']),
    );
    expect(input.properties['curve']).toMatchObject({ type: 'string', enum: ['daily', 'candle'] });
    expect(input.properties['set']).toMatchObject({ type: 'array' });
    const all = listTools(program, { control: true }).flatMap((tool) => [...tool.flags.values()]);
    for (const flag of [
      '--json',
      '--journal',
      '--report',
      '--watch',
      '--online',
      '--out',
      '--open',
      '--write',
      '--yes',
    ])
      expect(all).not.toContain(flag);
  });
});

describe('commandWords', () => {
  it('translates the input of a call to words of the command line', () => {
    const input = {
      config: 'config/a.yaml',
      set: ['risk.x=1', 'name=b'],
      bounds: true,
      to: '2025-01-01',
    };

    expect(commandWords(toolNamed('backtest'), input, { json: '-' })).toEqual([
      ...['backtest', '--set=risk.x=1', '--set=name=b', '--bounds', '--to=2025-01-01'],
      ...['--json=-', '--', 'config/a.yaml'],
    ]);
  });

  it.each(['../a.yaml', '/etc/passwd', 'config/../../a.yaml', '..'])(
    'refuses the path %s',
    (config) => {
      expect(() => requireInputWithin(toolNamed('backtest'), { config }, ROOT)).toThrow(
        `config: expected a path within ${ROOT}, received ${config}`,
      );
    },
  );

  it('refuses a path outside of the root in every argument that is a path', () => {
    const outside = listTools(program, { control: true }).flatMap((tool) =>
      [...tool.arguments, ...tool.paths].flatMap((name) =>
        ['instrument', 'interval'].includes(name)
          ? []
          : [() => requireInputWithin(tool, { [name]: '../other' }, ROOT)],
      ),
    );

    expect(outside.length).toBeGreaterThan(15);
    for (const words of outside) expect(words).toThrow(`expected a path within ${ROOT}`);
  });

  it.each([
    ['simulation.archive=../../data', '../../data'],
    ['simulation.archive=/srv/data', '/srv/data'],
    ['simulation={ archive: ../../data }', '../../data'],
    ['strategy.path=/tmp/plugin.js', '/tmp/plugin.js'],
    ['venue.path=../../venue.js', '../../venue.js'],
    ['venue={ credentials: { apiSecretFile: /etc/key } }', '/etc/key'],
    ['live.journal="../../bot.journal"', '../../bot.journal'],
    ['strategy.parameters.list=[a, /etc/passwd]', '/etc/passwd'],
  ])('rejects the setting %s, which leaves the root', (set, given) => {
    const call = (): void => {
      requireInputWithin(toolNamed('sweep'), { config: 'bots/a.yaml', set: ['name=b', set] }, ROOT);
    };

    expect(call).toThrow(
      `set: ${set.slice(0, set.indexOf('='))}: expected a path within ${ROOT}, received ${given}`,
    );
  });

  it('accepts settings that stay within the root, relative to the folder of the configuration', () => {
    const set = ['simulation.archive=../data', `strategy.path=${ROOT}/a.js`, 'risk.x=1', 'name='];

    expect(() => {
      requireInputWithin(toolNamed('backtest'), { config: 'bots/a.yaml', set }, ROOT);
    }).not.toThrow();
  });

  it('refuses a symbolic link that leads out of the root, and follows one within it', async () => {
    const folder = await temporaryFolder();
    const [root, other] = ['root', 'other'].map((name) => path.join(folder, name)) as [
      string,
      string,
    ];
    await mkdir(path.join(root, 'bots'), { recursive: true });
    await mkdir(other);
    await writeFile(path.join(other, 'a.yaml'), '');
    const links = {
      out: other,
      up: '../..',
      'bots/a.yaml': '../../other/a.yaml',
      'bots/missing.yaml': '../../other/missing.yaml',
      'bots/chain': 'missing.yaml',
      'bots/loop': 'loop',
      in: 'bots',
      'bots/near': '../in/missing.yaml',
    };
    for (const [name, target] of Object.entries(links))
      await symlink(target, path.join(root, name));
    const tool = toolNamed('backtest');
    const refused = ['out', 'out/a.yaml', 'out/new/b.yaml', 'up/other/a.yaml', 'bots/a.yaml'];
    const unclear = ['bots/missing.yaml', 'bots/chain', 'bots/near', 'in/a.yaml', 'bots/loop'];

    for (const config of [...refused, ...unclear])
      expect(() => requireInputWithin(tool, { config }, root), config).toThrow(
        `config: expected a path within ${root}, received ${config}, a symbolic link that leads out of it`,
      );
    expect(() =>
      requireInputWithin(tool, { config: 'bots/b.yaml', set: ['simulation.archive=../out'] }, root),
    ).toThrow('set: simulation.archive: expected a path within');
    for (const [config, place] of [
      ['in/b.yaml', root],
      ['bots/new/b.yaml', root],
      ['a.yaml', path.join(root, 'out')],
    ] as const)
      expect(() => requireInputWithin(tool, { config }, place), config).not.toThrow();
  });

  it('names the folder of result documents for runs, unless the call names another folder', () => {
    const options = { json: '-', results: '/srv/trading/kept' };

    expect(commandWords(toolNamed('runs'), {}, options).at(-1)).toBe('/srv/trading/kept');
    expect(commandWords(toolNamed('runs'), { place: 'old' }, options).at(-1)).toBe('old');
  });

  it('never turns a value into another option', () => {
    const tool = toolNamed('sweep');
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('--json=x', '--ledger', '-h', '--', '--set=a=1'),
    );

    fc.assert(
      fc.property(value, value, (grid, config) => {
        fc.pre(!config.includes('..') && !config.startsWith('/'));
        const words = commandWords(tool, { config, grid }, { json: 'here' });
        let parsed: unknown;
        const parser = new Command('evenkeel').exitOverride();
        parser
          .command('sweep')
          .argument('<config>')
          .option('--grid <space>')
          .option('--json <file>')
          .option('--ledger <file>')
          .action((file: string, flags: object) => {
            parsed = { file, ...flags };
          });
        parser.parse(words, { from: 'user' });

        expect(parsed).toEqual({ file: config, grid, json: 'here' });
      }),
      { numRuns: 300 },
    );
  });
});

describe('texts for an assistant', () => {
  it('cutLists keeps twenty entries of each list, and adds the number and the file of the others', () => {
    const list = Array.from({ length: 25 }, (_, index) => index);

    expect(cutLists({ list, inner: [{ list }] }, 'results/a.json')).toEqual({
      list: [...list.slice(0, 20), '… 5 more in results/a.json'],
      inner: [{ list: [...list.slice(0, 20), '… 5 more in results/a.json'] }],
    });
    expect(cutLists({ none: null, few: [1] }, '')).toEqual({ none: null, few: [1] });
  });

  it('listPages and errorCodes return the pages of the docs and the meaning of each error code', async () => {
    const pages = await listPages();

    expect(pages.map(({ uri }) => uri)).toContain('evenkeel://docs/strategies');
    expect(pages.find(({ name }) => name === 'cli')?.title).toBe('Command line');
    expect(errorCodes(pages).get('E_USAGE')).toMatch(/^an option or argument cannot be understood/);
    expect(errorCodes(pages).size).toBeGreaterThan(150);
  });
});

describe('callCommand', () => {
  it('starts no process for a call that is canceled before its start', async () => {
    const root = await temporaryFolder();
    const [mark, started] = [path.join(root, 'mark.cjs'), path.join(root, 'started')];
    await writeFile(mark, `require('fs').writeFileSync(${JSON.stringify(started)}, '')`);
    const ground = {
      root,
      results: path.join(root, 'results'),
      env: { NODE_OPTIONS: `--require ${JSON.stringify(mark)}` },
    };
    const controller = new AbortController();

    const ended = callCommand(toolNamed('status'), {}, ground, controller.signal);
    controller.abort(new Error('canceled'));

    await expect(ended).rejects.toThrow('canceled');
    await expect(access(started)).rejects.toThrow('ENOENT');
  });

  it.each([
    ['backtest', { config: 'bot\0.yaml' }, 'config', 'bot\\u0000.yaml'],
    ['backtest', { config: 'bot.yaml', set: ['name=a\0'] }, 'set', 'name=a\\u0000'],
  ])('%s names the value that has a NUL: %j', async (name, input, key, shown) => {
    const root = await temporaryFolder();
    const ground = { root, results: path.join(root, 'results'), env: {} };

    await expect(
      callCommand(toolNamed(name), input, ground, new AbortController().signal),
    ).rejects.toMatchObject({
      code: 'E_USAGE',
      message: `${key}: expected text without the character NUL, received "${shown}"`,
    });
  });

  it.each([
    ['status', {}, 'the answer: more than 64 MB; ask for less', true],
    [
      'backtest',
      { config: 'bot.yaml' },
      'results/backtest-1.json: more than 64 MB; other tools still take the file',
      undefined,
    ],
  ])('says of a document of %s that it is too long', async (name, input, text, isError) => {
    const root = await temporaryFolder();
    const script = path.join(root, 'long.cjs');
    await writeFile(
      script,
      `const { truncateSync, writeSync } = require('node:fs');
       const file = process.argv.find((word) => word.endsWith('backtest-1.json'));
       if (file !== undefined) truncateSync(file.replace(/^--json=/, ''), 70e6);
       else for (let left = 70; left > 0; left -= 1) writeSync(1, ' '.repeat(1e6));
       process.exit(0);`,
    );
    const ground = {
      root,
      results: path.join(root, 'results'),
      env: { NODE_OPTIONS: `--require ${JSON.stringify(script)}` },
    };

    const { content, isError: told } = await callCommand(
      toolNamed(name),
      input,
      ground,
      new AbortController().signal,
    );

    expect(content).toEqual([{ type: 'text', text }]);
    expect(told).toBe(isError);
  });
});
