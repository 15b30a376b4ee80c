import path from 'node:path';
import { listSettings } from '../../config/index.js';
import { UsageError } from '../../domain/index.js';
import { listOf, type ToolInput } from './command-words.js';
import type { CommandTool } from './list-tools.js';

/**
 * Checks each path that a call names. A text of a setting counts as a path, whatever its key: parameters of a strategy may be paths too. Such a path is
 * relative to the folder of the configuration.
 *
 * @throws {UsageError} `E_MCP_PATH` for a path outside of `root`, an absolute folder.
 * @throws {ConfigError} `E_CONFIG_SET` for a setting that cannot be read.
 */
export function requireInputWithin(tool: CommandTool, input: ToolInput, root: string): void {
  for (const [name, value] of Object.entries(input))
    if (tool.paths.has(name))
      for (const given of listOf(value)) requireWithin(root, { name, given });
  const [config = ''] = listOf(input['config']);
  const from = path.dirname(path.resolve(root, config));
  for (const { key, texts } of listSettings(listOf(input['set'])))
    for (const given of texts) requireWithin(root, { name: `set: ${key}`, given, from });
}

interface NamedPath {
  readonly name: string;
  readonly given: string;
  /** Absolute folder that the path is relative to. Absent: the root. */
  readonly from?: string;
}

/** @throws {UsageError} `E_MCP_PATH` for a path outside of `root`, an absolute folder. */
export function requireWithin(root: string, { name, given, from = root }: NamedPath): void {
  const way = path.relative(root, path.resolve(from, given));
  if (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way)) return;
  throw new UsageError('E_MCP_PATH', `${name}: expected a path within ${root}, received ${given}`);
}
