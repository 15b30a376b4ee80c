import path from 'node:path';
import { describeAmbientUse, type AmbientUse } from '../engine/index.js';
import { describeFinding, type PluginFinding } from './finding.js';

/** Picks the warnings of a run that came from {@link describeNondeterminism}. */
export function noticesAmong(warnings: readonly string[]): readonly string[] {
  return warnings.filter((warning) => /\(E_PLUGIN_[A-Z]+\)$/.test(warning));
}

interface NondeterministicRun {
  readonly config: { readonly strategy: { readonly path: string } };
  /** Findings of the scan of the plugin. */
  readonly findings?: readonly PluginFinding[] | undefined;
}

/** Describes in lines for the result what keeps another run from being the same. Paths are relative, so the same run gives the same bytes. */
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
