import { createRequire } from 'node:module';

/** Modules, relative to this, that commands import when they run. */
export const MODULES_OF_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['backtest', './backtest/run-backtest-command.js'],
  ['sweep', './sweep/run-sweep-command.js'],
]);

/**
 * Loads what a command will import, by `require`: where Node can (from 20.19), that takes some 0.08 s less than `import` for the hundreds of
 * modules of a backtest, because nothing of it waits. The import then finds them loaded; where something fails, it says so.
 */
export function loadAhead(command: string | undefined): void {
  const file = MODULES_OF_COMMANDS.get(command ?? '');
  if (file === undefined || !process.features.require_module) return;
  try {
    createRequire(import.meta.url)(file);
  } catch {
    // The command's own import reports it.
  }
}
