import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig, type LoadedConfig } from '../../../src/config/load-config.js';
import type { OverrideOptions } from '../../../src/config/yaml/overrides.js';

/** A complete bot; tests replace lines of it. */
export const BOT_YAML = `name: sma-crossover-btc
strategy:
  path: sma.strategy.ts
  parameters: { fast: 10, slow: 30 }
instruments:
  - { product: spot, symbol: BTCUSDT, intervals: [1h] }
simulation:
  archive: data
  from: 2025-01-01
  to: 2025-02-01
  balances: { USDT: "10000" }
  fees:
    maker: "0.001"
    taker: "0.001"
  rules:
    BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }
`;

/** Replaces one line of {@link BOT_YAML}. Throws if the line is missing: otherwise a test could pass without its change. */
export function botYaml(line: string, replacement: string, yaml: string = BOT_YAML): string {
  if (!yaml.includes(line)) throw new Error(`no line "${line}" in the YAML`);
  return yaml.replace(line, replacement);
}

/** Runs with an empty folder that is removed afterwards. */
export async function inFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'evenkeel-cli-'));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Loads YAML as if it were a file `bot.yaml`. */
export async function loadYaml(
  yaml: string,
  overrides: OverrideOptions = {},
): Promise<LoadedConfig> {
  return inFolder(async (folder) => {
    await writeFile(path.join(folder, 'bot.yaml'), yaml);
    return loadConfig({ file: 'bot.yaml', cwd: folder, ...overrides });
  });
}

/** Messages of all problems of the YAML; empty if it loads. */
export async function problemsOf(
  yaml: string,
  overrides: OverrideOptions = {},
): Promise<readonly string[]> {
  try {
    await loadYaml(yaml, overrides);
    return [];
  } catch (error: unknown) {
    if (error instanceof AggregateError) return error.errors.map((one: Error) => one.message);
    if (error instanceof Error) return [error.message];
    throw error;
  }
}
