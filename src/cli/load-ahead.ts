import { createRequire } from 'node:module';

/** Modules, relative to this, that verbs import when they run. */
export const MODULES_OF_VERBS: ReadonlyMap<string, string> = new Map([
  ['backtest', './backtest/run-backtest-verb.js'],
  ['sweep', './sweep/run-sweep-verb.js'],
]);

/**
 * Loads what a verb will import, by `require`: where Node can (from 20.19), that takes some 0.08 s less than `import` for the hundreds of
 * modules of a backtest, because nothing of it waits. The import then finds them loaded; where something fails, it says so.
 */
export function loadAhead(verb: string | undefined): void {
  const file = MODULES_OF_VERBS.get(verb ?? '');
  if (file === undefined || !process.features.require_module) return;
  try {
    createRequire(import.meta.url)(file);
  } catch {
    // The verb's own import reports it.
  }
}
