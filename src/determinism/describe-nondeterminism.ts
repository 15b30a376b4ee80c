import path from 'node:path';
import { describeAmbientUse, type AmbientUse } from '../engine/index.js';
import { describeFinding, type PluginFinding } from './finding.js';

/** Of the warnings of a run what {@link describeNondeterminism} said. */
export function noticesAmong(warnings: readonly string[]): readonly string[] {
  return warnings.filter((warning) => /\(E_PLUGIN_[A-Z]+\)$/.test(warning));
}

export interface NondeterministicRun {
  readonly config: { readonly strategy: { readonly path: string } };
  /** What looking at the plugin has found. */
  readonly findings?: readonly PluginFinding[] | undefined;
}

/** Says in lines for the result of a run what keeps another run from being the same. Paths are relative: the same run, the same bytes. */
export function describeNondeterminism(
  { config, findings = [] }: NondeterministicRun,
  { ambientUses }: { readonly ambientUses: readonly AmbientUse[] },
): readonly string[] {
  const folder = path.dirname(config.strategy.path);
  const nameFile = (file: string): string => path.relative(folder, file).split(path.sep).join('/');
  return [
    ...findings.map(describeFinding),
    ...ambientUses.map((use) => describeAmbientUse(use, nameFile)),
  ];
}
