import { readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isAbsent } from '../../archive/index.js';
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

/**
 * Looks at the place that the path leads to, through all symbolic links.
 *
 * @throws {UsageError} `E_MCP_PATH` for a path outside of `root`, an absolute folder.
 */
export function requireWithin(root: string, { name, given, from = root }: NamedPath): void {
  const place = path.resolve(from, given);
  const isWritten = isWithin(root, place);
  if (isWritten && isWithin(realPlace(root), realPlace(place))) return;
  const how = isWritten ? ', a symbolic link that leads out of it' : '';
  throw new UsageError(
    'E_MCP_PATH',
    `${name}: expected a path within ${root}, received ${given}${how}`,
  );
}

/** Whether the text of a path is that of the folder or of a path below it. Both are absolute. */
export function isWithin(folder: string, place: string): boolean {
  const way = path.relative(folder, place);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** Most links, one behind the other, that lead to no file. The system itself follows no more. */
const MOST_LINKS = 40;

/** The place that an absolute path leads to. It need not exist; a link without a target could still be written through. */
function realPlace(place: string, links = 0): string {
  try {
    return realpathSync(place);
  } catch (error: unknown) {
    // A place that cannot be looked at is within nothing.
    if (!isAbsent(error) || links > MOST_LINKS) return path.parse(place).root;
  }
  const folder = path.dirname(place);
  if (folder === place) return place;
  const real = realPlace(folder, links);
  const target = linkTarget(place);
  return target === undefined
    ? path.join(real, path.basename(place))
    : realPlace(path.resolve(real, target), links + 1);
}

function linkTarget(place: string): string | undefined {
  try {
    return readlinkSync(place);
  } catch {
    return undefined;
  }
}
