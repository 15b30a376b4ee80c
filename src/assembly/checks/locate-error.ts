import type { YamlDocument } from '../../config/index.js';
import { ConfigError, DataGapError, UnvaluedAssetError } from '../../domain/index.js';

interface Located {
  readonly document: YamlDocument;
}

/** Adds file, line and column to an error that only has a key, because it was found after the configuration was read. */
export function locateError(error: unknown, document: YamlDocument): unknown {
  if (error instanceof UnvaluedAssetError) return locateUnvalued(error, document);
  if (!(error instanceof ConfigError)) return error;
  const { location, ...rest } = error.problem;
  if (location.key === undefined || location.line !== undefined) return error;
  const located = document.locate(location.key.split('.'));
  return new ConfigError(error.code, { ...rest, location: located }, { cause: error });
}

/** Locates a gap that is too long at the key `simulation.maxGap`, and other errors as `locateError` does. */
export function locateRunError(error: unknown, { document }: Located): unknown {
  if (!(error instanceof DataGapError)) return locateError(error, document);
  return new ConfigError(
    error.code,
    {
      location: document.locate(['simulation', 'maxGap']),
      expected: 'data without longer gaps',
      received: error.message,
    },
    { cause: error },
  );
}

/** Locates the error at the balance of the asset; if the asset only comes from trades, at the equity currency. */
function locateUnvalued(
  { code, asset, currency }: UnvaluedAssetError,
  document: YamlDocument,
): ConfigError {
  const balances = Object.keys(document.valueAt(['simulation', 'balances']) ?? {});
  const name = balances.find((one) => one === asset || one.endsWith(`:${asset}`));
  const advice = `add an instrument that trades ${asset} for ${currency}`;
  return name === undefined
    ? document.problem(code, ['equityCurrency'], {
        expected: `a currency in which an instrument values ${asset}`,
        received: currency,
        suggestion: advice,
      })
    : document.problem(code, ['simulation', 'balances', name], {
        expected: `an asset that an instrument values in ${currency}`,
        received: asset,
        suggestion: `${advice}, or leave ${asset} out`,
      });
}
