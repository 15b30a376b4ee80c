import type { SyntaxPlace } from './syntax-tree.js';

/** What keeps two runs of one strategy from being equal, or one run from being like the next. */
export type FindingCode = keyof typeof MEANINGS;

/** What is wrong, and how to mend it. */
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

/** One thing in a plugin or in what it imports, and where. */
export interface PluginFinding extends SyntaxPlace {
  readonly code: FindingCode;
  /** Relative to the folder of the plugin; of a package `NAME/path`. */
  readonly file: string;
  /** As it is written, for example `Date.now`. */
  readonly what: string;
}

/** What keeps runs of a plugin from being alike, as far as its text says. */
export interface PluginScan {
  /** In the plugin and in files of its own. */
  readonly findings: readonly PluginFinding[];
  /** In packages that it imports: they can do it; whether they do is for a run to notice. */
  readonly notes: readonly PluginFinding[];
}

/** Says a finding in one line: place, what is wrong, how to mend it, code. */
export function describeFinding({ code, file, line, column, what }: PluginFinding): string {
  const [meaning, mend] = MEANINGS[code];
  return `${file}:${String(line)}:${String(column)}: ${meaning} (${what}): ${mend} (${code})`;
}
