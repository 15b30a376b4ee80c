import type { SyntaxPlace } from './syntax-tree.js';

/** Reasons why two runs of one strategy may differ, or why a run may affect the next. */
export type FindingCode = keyof typeof MEANINGS;

/** For each code: the problem, and how to fix it. */
const MEANINGS = {
  E_PLUGIN_CLOCK: ['reads the clock', 'use this.now, or the time of the candle'],
  E_PLUGIN_RANDOM: ['draws random values', 'use this.random(), which is drawn from the seed'],
  E_PLUGIN_PROMISE: [
    "makes a promise, which does not follow the engine's clock",
    'stay within RxJS and the candle hooks',
  ],
  E_PLUGIN_TIMER: [
    "sets a timer, which does not follow the engine's clock",
    'use timer, interval or delay of RxJS',
  ],
  E_PLUGIN_IO: [
    'reads or writes outside of its events',
    'give it what it needs as a parameter, or as a constant of the file',
  ],
  E_PLUGIN_STATE: [
    'keeps state in its module, which passes from one run to the next',
    'keep it in a field of the strategy',
  ],
  E_PLUGIN_HIDDEN: ['runs what nobody can look at before', 'write it out'],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

export const FINDING_CODES = Object.keys(MEANINGS) as readonly FindingCode[];

/** One finding in a plugin or in its imports, with its place. */
export interface PluginFinding extends SyntaxPlace {
  readonly code: FindingCode;
  /** Relative to the folder of the plugin; `NAME/path` for a file of a package. */
  readonly file: string;
  /** As the source writes it, for example `Date.now`. */
  readonly what: string;
}

/** Everything in the text of a plugin that may make its runs differ. */
export interface PluginScan {
  /** In the plugin and its own files. */
  readonly findings: readonly PluginFinding[];
  /** In packages that the plugin imports. Only a run can show whether it uses that code. */
  readonly notes: readonly PluginFinding[];
}

/** Describes a finding in one line: place, problem, fix, code. */
export function describeFinding({ code, file, line, column, what }: PluginFinding): string {
  const [meaning, mend] = MEANINGS[code];
  return `${file}:${String(line)}:${String(column)}: ${meaning} (${what}): ${mend} (${code})`;
}
