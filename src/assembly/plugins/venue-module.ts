import { ConfigError, type ErrorCode } from '../../domain/index.js';
import type { OpenVenue } from '../../venue/index.js';
import type { SessionConfig } from '../../config/index.js';
import { evaluateModule, refuseNoModule, type EvaluateOptions } from './evaluate-module.js';
import type { PluginOptions } from './plugin-loader.js';

interface VenueModuleOptions
  extends Pick<PluginOptions, 'locate'>, Omit<EvaluateOptions, 'modules'> {
  /** The running copy of `evenkeel/run`, which has the classes that a venue creates and throws. */
  readonly run: object;
}

/**
 * Loads the function that opens a user's own venue, as the configuration names it. The function is not called.
 *
 * @throws {ConfigError} `E_PLUGIN_FILE`, `E_PLUGIN_SYNTAX`, `E_PLUGIN_IMPORT`, `E_PLUGIN_THROWS` as for a plugin; `E_PLUGIN_EXPORT` if the module does not
 * export the function.
 */
export async function loadVenueModule(
  file: string,
  { export: name }: Pick<SessionConfig['venue'], 'export'>,
  options: VenueModuleOptions,
): Promise<OpenVenue> {
  const refuse = (
    code: ErrorCode,
    key: 'path' | 'export',
    problem: { readonly expected: string; readonly received: string },
  ): ConfigError => new ConfigError(code, { location: options.locate(key), ...problem });
  const noModule = await refuseNoModule(file, options.describeFile);
  if (noModule !== undefined) throw refuse('E_PLUGIN_FILE', 'path', noModule);
  const { exported } = await evaluateModule(file, {
    ...options,
    modules: { 'evenkeel/run': options.run },
  });
  // Own exports only: every object also inherits functions such as toString.
  const found: unknown = Object.hasOwn(exported as object, name)
    ? Reflect.get(exported as object, name)
    : undefined;
  if (typeof found === 'function') return found as OpenVenue;
  throw refuse('E_PLUGIN_EXPORT', 'export', {
    expected: `a module that exports a function ${name}, which opens a venue`,
    received: found === undefined ? 'no such export' : `an export that is of type ${typeof found}`,
  });
}
