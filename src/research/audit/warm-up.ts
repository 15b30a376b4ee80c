import { createRandom, type BacktestConfig } from '../../assembly/backtest/index.js';
import { nominalIntervalMs, type EpochMs } from '../../domain/index.js';
import {
  notDone,
  proofOf,
  type AuditSubject,
  type PlannedPart,
  type RunJob,
} from './audit-desk.js';
import type { AuditJob, AuditRun } from './audit-job.js';
import type { Audit } from './audit-schema.js';
import { compareWants, firstTime, listWants } from './compare-wants.js';
import { countClosed, deliveredSeries } from './market-change.js';

type WarmUp = NonNullable<Audit['warmUp']>;

/** Number of lookbacks by which the warm-up becomes longer. */
const MOVES = [1, 2, 5, 10] as const;
const STARTS = 4;
/** Least lookback: also for a strategy that needs fewer candles, or declares fewer. */
const LEAST_LOOKBACK = 50;
/** Lookbacks that are traded after each start, so that the state at the start has taken effect. */
const LOOKBACKS_AFTER = 20;
/** Share of decisions that may change: an indicator that never quite forgets can tip a close decision. */
const MAY_CHANGE = 0.01;
/** Most fields with other values that are reported. */
const MOST_FIELDS = 5;

/**
 * Plans the proof that a strategy is warm when it starts. From each of a few starts it trades with an empty account: first after as many candles as it needs,
 * then after 1, 2, 5 and 10 lookbacks more, as far as candles are stored. Its intents must stay the same.
 */
export function planWarmUp(subject: AuditSubject): PlannedPart<WarmUp> {
  const needs = needsOf(subject);
  const starts = drawStarts(subject, needs);
  const counts = { lookback: needs.lookback, heard: needs.heard, starts: starts.length };
  if (starts.length === 0)
    return {
      runs: 0,
      judge: () =>
        Promise.resolve({
          ...notDone('too few candles for a longer warm-up'),
          ...counts,
          settled: { decisions: 0, changed: 0 },
          moves: [],
          fields: [],
        }),
    };
  const runs = starts.reduce((sum, { moves }) => sum + 1 + moves.length, 0);
  return {
    runs: needs.heard === 0 ? 2 * runs : runs,
    judge: async (run) => {
      const compare = (one: typeof compareStart): Promise<readonly Tried[]> =>
        Promise.all(starts.map((start) => one({ subject, needs, start }, run)));
      const heard = await compare(compareStart);
      const tried =
        needs.heard > 0 || heard.some(hasChanged) ? heard : await compare(compareEarlier);
      const moves = MOVES.flatMap((lookbacks) => {
        const of = tried.flatMap((each) =>
          each.moves.filter((move) => move.lookbacks === lookbacks),
        );
        return of.length === 0 ? [] : [{ lookbacks, ...addUp(of) }];
      });
      const fields = worstFields(tried.flatMap((each) => each.fields));
      const settled = addUp(tried.map(({ last }) => last));
      return { ...judge({ moves, fields, settled }), ...counts, settled, moves, fields };
    },
  };
}

function judge({
  moves,
  fields,
  settled,
}: Pick<WarmUp, 'moves' | 'fields' | 'settled'>): ReturnType<typeof proofOf> {
  const worst = moves.reduce((one, other) => (shareOf(other) > shareOf(one) ? other : one));
  const isQuiet = moves.every(({ decisions }) => decisions === 0);
  if (shareOf(worst) <= MAY_CHANGE) return proofOf([], isQuiet ? 'nothing was decided' : null);
  // If a longer warm-up could help, the two longest would agree. Otherwise decisions depend on the first candle of the warm-up, and no warm-up corrects that.
  if (shareOf(settled) > shareOf(worst) / 2) return proofOf([], BEGINNING_COUNTS);
  const names = fields.map(({ name }) => name);
  const longer = names.length === 0 ? 'what it keeps to itself' : names.join(', ');
  const percent = (100 * shareOf(worst)).toFixed(1);
  return proofOf([
    `${percent} % of the decisions change when it hears ${String(worst.lookbacks)} lookbacks more before a start: needed longer by ${longer} (E_AUDIT_WARM_UP)`,
  ]);
}

const BEGINNING_COUNTS =
  'decisions depend on when it began to hear, however long ago: after a restart it may decide otherwise';

interface Counts {
  readonly decisions: number;
  readonly changed: number;
}

const NO_COUNTS: Counts = { decisions: 0, changed: 0 };

function addUp(counts: readonly Counts[]): Counts {
  return counts.reduce(
    (sum, { decisions, changed }) => ({
      decisions: sum.decisions + decisions,
      changed: sum.changed + changed,
    }),
    NO_COUNTS,
  );
}

function shareOf({ decisions, changed }: Counts): number {
  return decisions === 0 ? 0 : changed / decisions;
}

/** Needs of a strategy before a start, in candles. */
interface Needs {
  readonly lookback: number;
  readonly heard: number;
  /** Duration of the longest lookback of any stream. */
  readonly lookbackMs: number;
  readonly finestMs: number;
}

function needsOf({ base: { warmups } }: AuditSubject): Needs {
  const lookback = Math.max(LEAST_LOOKBACK, ...warmups.map(({ least }) => least));
  const longest = Math.max(
    0,
    ...warmups.map(({ least, interval }) => least * nominalIntervalMs(interval)),
  );
  const finestMs = Math.min(...warmups.map(({ interval }) => nominalIntervalMs(interval)));
  return {
    lookback,
    heard: Math.max(0, ...warmups.map(({ candles }) => candles)),
    lookbackMs: Math.max(longest, LEAST_LOOKBACK * finestMs),
    finestMs,
  };
}

interface Start {
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** Moves with enough stored candles; at least two, to see whether a longer warm-up settles. */
  readonly moves: readonly number[];
}

/** Draws one start in each part of the last three quarters of the range. */
function drawStarts(subject: AuditSubject, needs: Needs): readonly Start[] {
  const { from, to } = subject.finished;
  const random = createRandom(subject.seed);
  const lengthMs = Math.min(LOOKBACKS_AFTER * needs.lookbackMs, (to - from) / STARTS);
  const first = from + (to - from) / 4;
  const delivered = deliveredSeries(subject.config, subject.snapshot.series);
  return Array.from({ length: STARTS }, (_, index): Start => {
    const drawn = first + ((index + random()) / STARTS) * (to - lengthMs - first);
    const start = Math.floor(drawn / needs.finestMs) * needs.finestMs;
    const stored = Math.min(...delivered.map((each) => countClosed(each, start)));
    const moves = MOVES.filter((move) => needs.heard + move * needs.lookback <= stored);
    return { from: start, to: Math.floor(start + lengthMs), moves };
  }).filter(({ moves }) => moves.length > 1);
}

interface Starting {
  readonly subject: AuditSubject;
  readonly needs: Needs;
  readonly start: Start;
}

/** Outcome of one start. */
interface Tried extends Pick<WarmUp, 'moves' | 'fields'> {
  /** The two longest warm-ups compared. */
  readonly last: Counts;
}

async function compareStart(starting: Starting, run: RunJob): Promise<Tried> {
  const { moves } = starting.start;
  const runs = await Promise.all(
    [0, ...moves].map(async (lookbacks) => {
      const { trace, fields } = await run(jobOf(starting, lookbacks));
      return { lookbacks, wants: listWants(trace), fields };
    }),
  );
  const [first, ...longer] = runs;
  const [last, longest] = runs.slice(-2);
  if (first === undefined || last === undefined || longest === undefined)
    return { moves: [], fields: [], last: NO_COUNTS };
  return {
    moves: longer.map(({ lookbacks, wants }) => ({ lookbacks, ...count(first.wants, wants) })),
    last: count(last.wants, longest.wants),
    fields: changedFields(first.fields, longest.fields),
  };
}

function hasChanged({ moves, fields }: Tried): boolean {
  return fields.length > 0 || moves.some(({ changed }) => changed > 0);
}

/**
 * A strategy of candles without indicators is not called before a start, so a longer warm-up changes nothing. Instead it trades from an earlier time on. The
 * intents of the later half of the span are compared by kind and side: by then positions from before the start are closed, and sizes depend on profits.
 */
async function compareEarlier({ subject, needs, start }: Starting, run: RunJob): Promise<Tried> {
  const { from, to, moves } = start;
  const runs = await Promise.all(
    [0, ...moves].map(async (lookbacks) => {
      const earlier = from - lookbacks * needs.lookbackMs;
      const { trace } = await run({
        config: spanning(subject, { from: earlier, to }),
        keepsWants: true,
      });
      const late = listWants(trace).filter((want) => firstTime([want]) >= (from + to) / 2);
      return { lookbacks, wants: late.map(withoutSize) };
    }),
  );
  const [first, ...longer] = runs;
  const [last, longest] = runs.slice(-2);
  if (first === undefined || last === undefined || longest === undefined)
    return { moves: [], fields: [], last: NO_COUNTS };
  return {
    moves: longer.map(({ lookbacks, wants }) => ({ lookbacks, ...countAll(first.wants, wants) })),
    last: countAll(last.wants, longest.wants),
    fields: [],
  };
}

/** `want`: the time and the intent as JSON, as in {@link listWants}. */
function withoutSize(want: string): string {
  const place = want.indexOf(' ');
  const { kind, direction, instrument } = JSON.parse(want.slice(place)) as Readonly<
    Record<string, unknown>
  >;
  return `${want.slice(0, place)} ${JSON.stringify({ kind, direction, instrument })}`;
}

/**
 * Leaves out intents up to the first decision of the shorter warm-up. A strategy that acts only on changes acts on its first state then; after a longer
 * warm-up it has done so before. Intents of timers may also be under way.
 */
function count(ones: readonly string[], others: readonly string[]): Counts {
  const first = firstTime(ones);
  const isLater = (want: string): boolean => firstTime([want]) > first;
  const { changed } = countAll(ones.filter(isLater), others.filter(isLater));
  return { decisions: Math.max(ones.length, others.length), changed };
}

function countAll(ones: readonly string[], others: readonly string[]): Counts {
  const { onlyOne, onlyOther } = compareWants(ones, others);
  return {
    decisions: Math.max(ones.length, others.length),
    changed: Math.max(onlyOne.length, onlyOther.length),
  };
}

function jobOf({ subject, needs, start }: Starting, lookbacks: number): AuditJob {
  return {
    config: spanning(subject, start),
    leastWarmup: lookbacks === 0 ? 0 : needs.heard + lookbacks * needs.lookback,
    keepsWants: true,
  };
}

function spanning(
  { config: { simulation, ...config } }: AuditSubject,
  { from, to }: Pick<Start, 'from' | 'to'>,
): BacktestConfig {
  return { ...config, simulation: { ...simulation, from, to } };
}

type Fields = AuditRun['fields'];

function changedFields(ones: Fields, others: Fields): WarmUp['fields'] {
  return Object.entries(ones).flatMap(([name, heard]) => {
    const longer = others[name] ?? Number.NaN;
    const isSame = Math.abs(heard - longer) <= 1e-6 * Math.max(Math.abs(heard), Math.abs(longer));
    return isSame || !Number.isFinite(heard) || !Number.isFinite(longer)
      ? []
      : [{ name, heard, longer }];
  });
}

/** The greatest change of each field, the most changed field first. */
function worstFields(fields: WarmUp['fields']): WarmUp['fields'] {
  const weight = ({ heard, longer }: WarmUp['fields'][number]): number =>
    Math.abs(heard - longer) / Math.max(Math.abs(heard), Math.abs(longer));
  const sorted = fields.toSorted((a, b) => weight(b) - weight(a));
  const names = [...new Set(sorted.map(({ name }) => name))].slice(0, MOST_FIELDS);
  return names.flatMap((name) => sorted.find((field) => field.name === name) ?? []);
}
