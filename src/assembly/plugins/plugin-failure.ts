import {
  ConfigError,
  DomainError,
  type ConfigLocation,
  type ErrorCode,
} from '../../domain/index.js';
import type { PluginSources } from '../../determinism/index.js';
import { locateFailure } from './locate-failure.js';

interface PluginFailureContext {
  readonly sources: PluginSources;
  readonly describeFile?: ((file: string) => string) | undefined;
}

/** Describes where in a plugin, or in a file it imports, loading failed, and why. */
export function describePluginFailure(error: unknown, context: PluginFailureContext): ConfigError {
  return (
    describeSyntaxError(error, context) ??
    describeMissingImport(error, context) ??
    describeThrow(error, context)
  );
}

function failure(
  code: ErrorCode,
  location: ConfigLocation,
  { describeFile }: PluginFailureContext,
  texts: { readonly expected: string; readonly received: string; readonly cause: unknown },
): ConfigError {
  const { expected, received, cause } = texts;
  const file = describeFile?.(location.file) ?? location.file;
  return new ConfigError(code, { location: { ...location, file }, expected, received }, { cause });
}

/** The compiler reports `ParseError: text` and, on the next line, `file:line:column` with the column counted from 0. */
function describeSyntaxError(
  error: unknown,
  context: PluginFailureContext,
): ConfigError | undefined {
  const match = /^ParseError: (.*?)\s*\n\s*(.+):(\d+):(\d+)/.exec(messageOf(error));
  if (!match) return undefined;
  const [, text = '', file = '', line, column] = match;
  const location = { file, line: Number(line), column: Number(column) + 1 };
  return failure('E_PLUGIN_SYNTAX', location, context, {
    expected: 'valid TypeScript or JavaScript',
    received: text.replace(/\.$/, ''),
    cause: error,
  });
}

function describeMissingImport(
  error: unknown,
  context: PluginFailureContext,
): ConfigError | undefined {
  const specifier = /^Cannot find (?:module|package) '([^']+)'/.exec(messageOf(error))?.[1];
  if (specifier === undefined) return undefined;
  for (const [file, text] of context.sources) {
    const offset = [`'${specifier}'`, `"${specifier}"`]
      .map((quoted) => text.indexOf(quoted))
      .find((found) => found >= 0);
    if (offset === undefined) continue;
    const before = text.slice(0, offset).split('\n');
    const location = { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    return failure('E_PLUGIN_IMPORT', location, context, {
      expected: 'a module that can be found',
      received: `"${specifier}"`,
      cause: error,
    });
  }
  return undefined;
}

function describeThrow(error: unknown, context: PluginFailureContext): ConfigError {
  const received =
    error instanceof Error ? `${error.name}: ${error.message}` : `a thrown ${typeof error}`;
  const code =
    error instanceof DomainError && error.code === 'E_PARAMETER_DECLARATION'
      ? error.code
      : 'E_PLUGIN_THROWS';
  return failure(code, findFrame(error, context), context, {
    expected: 'a plugin that loads',
    received,
    cause: error,
  });
}

/** The place of the throw; the plugin itself if it is in none of the files. */
function findFrame(error: unknown, { sources }: PluginFailureContext): ConfigLocation {
  const place = locateFailure(error, sources);
  if (place === undefined) return { file: [...sources.keys()][0] ?? '' };
  const { file, line, column } = place;
  return column === undefined ? { file, line } : { file, line, column };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
