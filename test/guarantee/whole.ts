import type { CaseKind, Line } from './plan.js';

/** Ends of processes by SIGKILL, of the bot or of its guard process. */
const KILLS = ['kill', 'kill-fill', 'kill-cancel', 'both', 'takeover', 'hand-back'] as const;

/** The minimum of cases in a whole run, over all shards and sessions. 986 cases reach it. */
const WHOLE: readonly {
  readonly what: string;
  readonly kinds: readonly CaseKind[];
  readonly least: number;
}[] = [
  { what: 'kills', kinds: KILLS, least: 500 },
  { what: 'between fill and stop', kinds: ['kill-fill'], least: 50 },
  { what: 'between cancel and resend', kinds: ['kill-cancel'], least: 50 },
  { what: 'at the takeover', kinds: ['takeover'], least: 50 },
  { what: 'at the hand-back', kinds: ['hand-back'], least: 50 },
  { what: 'of both processes', kinds: ['both'], least: 50 },
  { what: 'exchange kills', kinds: ['exchange'], least: 100 },
  { what: 'cuts', kinds: ['cut'], least: 100 },
  { what: 'stops by signal', kinds: ['stop', 'suspend'], least: 100 },
  // 18 kinds of faults, in turn.
  { what: 'faults', kinds: ['fault'], least: 90 },
  { what: 'failures of the strategy', kinds: ['plugin'], least: 30 },
  { what: 'changes of rules', kinds: ['rules'], least: 30 },
];

/** The progress of these cases towards a whole run. Failed cases count too, because they were carried out. */
export function describeProgress(lines: readonly Line[]): readonly string[] {
  return WHOLE.map(({ what, kinds, least }) => {
    const done = lines.filter(({ kind }) => kind !== undefined && kinds.includes(kind)).length;
    return `${what}: ${String(done)} of ${String(least)}`;
  });
}
