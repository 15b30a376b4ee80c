import type { InstrumentConfig } from '../../assembly/index.js';
import type { ConfigError, InstrumentId } from '../../domain/index.js';
import { suggestWord } from './suggestion.js';
import type { KeyPath } from './key-path.js';
import type { YamlDocument } from './yaml-document.js';

/** Where a value stands, and where to note what is wrong with it. */
export interface CheckContext {
  readonly document: YamlDocument;
  readonly problems: ConfigError[];
}

/** Reads a mapping whose keys name configured instruments, by symbol or by full id. */
export function byInstrument<T>(
  written: Readonly<Record<string, T>>,
  place: KeyPath,
  instruments: readonly InstrumentConfig[],
  { document, problems }: CheckContext,
): ReadonlyMap<InstrumentId, T> {
  const found = new Map<InstrumentId, T>();
  for (const [name, value] of Object.entries(written)) {
    const named = instruments.filter(
      ({ instrumentId, symbol }) => name === instrumentId || name === symbol,
    );
    if (named.length === 0) {
      const names = instruments.map(({ symbol }) => symbol);
      const suggestion = suggestWord(name, names);
      problems.push(
        document.problem('E_CONFIG_KEY', [...place, name], {
          expected: `one of the configured instruments ${names.join(', ')}`,
          received: JSON.stringify(name),
          suggestion: suggestion === undefined ? undefined : `did you mean "${suggestion}"?`,
        }),
      );
    }
    // A full id says more than a bare symbol, whichever comes first.
    for (const { instrumentId } of named) {
      if (name === instrumentId || !Object.hasOwn(written, instrumentId))
        found.set(instrumentId, value);
    }
  }
  return found;
}
