import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../../src/config/load-config.js';
import { knownKeys } from '../../../src/config/problems/known-keys.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { BOT_YAML } from '../../support/cli/bot-yaml.js';

const folder = fileURLToPath(new URL('../../../config', import.meta.url));
const schemaText = readFileSync(path.join(folder, 'bot.schema.json'), 'utf8');
/** A validator for JSON Schema. It does not use the source of the schema. */
const schema = z.fromJSONSchema(JSON.parse(schemaText) as z.core.JSONSchema.JSONSchema);
const examples = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

describe('config/bot.schema.json', () => {
  it('equals the output of `evenkeel schema`', async () => {
    const { stdout, ...run } = await runCommand(folder, ['schema']);

    expect(run).toEqual({ exitCode: 0, stderr: '' });
    await expect(stdout).toMatchFileSnapshot('../../../config/bot.schema.json');
  });

  it('describes every key', () => {
    const undescribed = (node: unknown, at: string): readonly string[] => {
      if (typeof node !== 'object' || node === null) return [];
      const { properties = {}, ...rest } = node as { properties?: Record<string, object> };
      const own = Object.entries(properties).flatMap(([key, child]) =>
        'description' in child || 'const' in child ? [] : [`${at}.${key}`],
      );
      const below = Object.entries({ ...properties, ...rest });
      return [...own, ...below.flatMap(([key, child]) => undescribed(child, `${at}.${key}`))];
    };

    expect(undescribed(JSON.parse(schemaText), 'root')).toEqual([]);
  });

  it.each([
    ['a missing key', BOT_YAML.replace('name: sma-crossover-btc\n', '')],
    ['an unknown key', `${BOT_YAML}nmae: x\n`],
    ['an unquoted decimal', BOT_YAML.replace('maker: "0.001"', 'maker: 0.001')],
    ['an unknown interval', BOT_YAML.replace('[1h]', '[7min]')],
  ])('refuses %s', (_what, yaml) => {
    expect(schema.safeParse(parse(BOT_YAML)).success).toBe(true);
    expect(schema.safeParse(parse(yaml)).success).toBe(false);
  });
});

describe('the example bots', () => {
  it('exist for each example strategy, and for sma-crossover in each mode', () => {
    const strategies = readdirSync(path.join(folder, '..', 'strategies'));
    expect(examples.filter((name) => name.endsWith('.backtest.yaml'))).toEqual(
      strategies.map((name) => `${name}.backtest.yaml`).toSorted(),
    );
    expect(examples.filter((name) => !name.endsWith('.backtest.yaml'))).toEqual([
      'sma-crossover.live.yaml',
      'sma-crossover.paper.yaml',
    ]);
  });

  it.each(examples)('%s is accepted by the JSON Schema, and names it in its first line', (name) => {
    const yaml = readFileSync(path.join(folder, name), 'utf8');

    expect(schema.safeParse(parse(yaml)).error).toBeUndefined();
    expect(yaml.split('\n')[0]).toBe('# yaml-language-server: $schema=./bot.schema.json');
  });

  it.each(examples)('%s loads, with a bot name that matches its file name', async (name) => {
    const { config } = await loadConfig({ file: name, cwd: folder });

    // Running bots need different names: each has its own journal.
    expect(`${config.name}.yaml`).toBe(
      name.replace('.backtest', '').replace(/\.(paper|live)\./, '-$1.'),
    );
  });
});

describe('knownKeys', () => {
  it('follows lists, alternatives and mappings of any key', () => {
    expect(knownKeys(['instruments', 0])).toEqual(
      expect.arrayContaining(['product', 'symbol', 'leverage', 'marginMode']),
    );
    expect(knownKeys(['simulation', 'rules', 'BTCUSDT'])).toContain('pricePrecision');
    expect(knownKeys(['simulation', 'slippage'])).toEqual(['model', 'bps', 'coefficient']);
    expect(knownKeys(['nowhere'])).toEqual([]);
  });
});
