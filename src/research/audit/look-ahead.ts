import {
  createRandom,
  describeDifference,
  findDifference,
  pastOf,
  type BacktestConfig,
  type RunTrace,
} from '../../assembly/backtest/index.js';
import { formatUtc, nominalIntervalMs, type EpochMs } from '../../domain/index.js';
import {
  endingBy,
  proofOf,
  requireFinished,
  type AuditSubject,
  type PlannedPart,
  type RunJob,
} from './audit-desk.js';
import type { AuditJob } from './audit-job.js';
import type { Audit } from './audit-schema.js';
import { CHANGES, deliveredSeries, endOfPast, type MarketChange } from './market-change.js';

type LookAhead = NonNullable<Audit['lookAhead']>;
type Cuts = NonNullable<LookAhead['finer']>;

/**
 * A run with another future continues for this many of its finest candles. Only steps before the change are compared. Candles that the strategy reads ahead
 * are changed.
 */
const CANDLES_AFTER = 200;
/** Share of the instants that are tried again with finer candles. */
const FINER_SHARE = 1 / 4;
const SAYS: Readonly<Record<MarketChange['kind'], string>> = {
  cut: 'without what comes after',
  noise: 'with noise after it',
  shift: 'with what comes after it one candle earlier',
};

/**
 * Plans the proof that no step up to an instant depends on later data. At each of `instants` instants, later data is cut off, replaced by noise, and shifted
 * one candle earlier. If finer candles are stored and prices walk them, a quarter of the instants is tried again with these.
 *
 * @param known - findings about prices that the plugin contains.
 */
export function planLookAhead(
  subject: AuditSubject,
  instants: number,
  known: readonly string[],
): PlannedPart<LookAhead> {
  // With delayed data, reading ahead by less than the delay would not be found.
  const plain = withTerms(subject.config, { dataDelayMs: 0 });
  const finerFrom = firstFiner(subject);
  const fine = finerFrom === undefined ? undefined : withTerms(plain, { path: 'finer' });
  const fewer = Math.max(1, Math.round(instants * FINER_SHARE));
  const runsOf = (count: number): number => 1 + count * CHANGES.length;
  return {
    runs: runsOf(instants) + (fine === undefined ? 0 : runsOf(fewer)),
    judge: async (run) => {
      const after = subject.finished.from;
      const cuts = await compareFutures({ subject, config: plain, after, instants }, run);
      const finer =
        fine === undefined
          ? undefined
          : await compareFutures(
              { subject, config: fine, after: finerFrom ?? after, instants: fewer },
              run,
            );
      const changed = [...cuts.found, ...(finer?.found ?? [])].map(
        ({ text }) => `${text} (E_AUDIT_LOOK_AHEAD)`,
      );
      const findings = [...known, ...changed];
      const reason = cuts.compared === 0 ? 'no orders to compare' : null;
      return {
        ...proofOf(findings, reason),
        ...countsOf(cuts),
        finer: finer === undefined ? null : countsOf(finer),
      };
    },
  };
}

function countsOf({ instants, compared }: ComparedFutures): Cuts {
  return { instants, compared };
}

interface Cutting {
  readonly subject: Pick<AuditSubject, 'snapshot' | 'finished' | 'seed'>;
  readonly config: BacktestConfig;
  /** Instants are drawn after this time. */
  readonly after: EpochMs;
  readonly instants: number;
}

/** A step that another future changed. */
export interface LookAheadFinding {
  /** Time of the step. */
  readonly time: EpochMs;
  /** The change of the market and the changed step, for people. */
  readonly text: string;
}

/** Outcome over all instants. */
interface ComparedFutures extends Cuts {
  readonly found: readonly LookAheadFinding[];
}

/** Runs the bot with other futures after drawn instants, and compares the steps before each instant. */
export async function compareFutures(cutting: Cutting, run: RunJob): Promise<ComparedFutures> {
  const { subject, config } = cutting;
  const whole = await run({ config });
  requireFinished(whole);
  const drawn = drawInstants(cutting, whole.trace);
  let compared = 0;
  const found = await Promise.all(
    drawn.flatMap((at, index) =>
      CHANGES.map(async (kind): Promise<readonly LookAheadFinding[]> => {
        const end = endOfPast(config, subject.snapshot, at);
        if (end === undefined) return [];
        const other = await run(jobOf(config, { kind, at, seed: subject.seed + index }));
        compared += pastOf(whole.trace, end).length;
        const difference = findDifference(whole.trace, other.trace, end);
        if (difference === undefined) return [];
        const said = describeDifference(difference, ['as it was', SAYS[kind]]);
        const text = `${formatUtc(end)}, ${SAYS[kind]}: ${said}`;
        return [{ time: difference.time, text }];
      }),
    ),
  );
  return { instants: drawn.length, compared, found: found.flat() };
}

function jobOf(config: BacktestConfig, change: MarketChange): AuditJob {
  if (change.kind === 'cut') return { config, change };
  const finestMs = Math.min(...intervalsOf(config));
  const coarsestMs = Math.max(...intervalsOf(config));
  const to = change.at + Math.max(CANDLES_AFTER * finestMs, 2 * coarsestMs);
  return { config: endingBy(config, to), change };
}

/** Draws half of the instants at decisions, because the next candle must not influence them. The others lie anywhere, one in each part of the range. */
function drawInstants(
  { subject, config, after, instants }: Cutting,
  trace: RunTrace,
): readonly EpochMs[] {
  const random = createRandom(subject.seed);
  const first = after + Math.max(...intervalsOf(config));
  const { to } = subject.finished;
  if (first >= to) return [];
  const decided = trace.filter(
    (step) => step.commands > 0 && !step.isAfterSlice && step.time >= first && step.time < to,
  );
  return Array.from({ length: instants }, (_, index) => {
    const at = (index + random()) / instants;
    const step = index % 2 === 0 ? decided[Math.floor(at * decided.length)] : undefined;
    return step?.time ?? Math.floor(first + at * (to - first));
  });
}

function intervalsOf({ instruments }: BacktestConfig): readonly number[] {
  return instruments.flatMap(({ intervals }) => intervals.map(nominalIntervalMs));
}

/** Time from which candles are stored that the configuration does not deliver; undefined if there are none within the run. */
function firstFiner({ config, snapshot, finished }: AuditSubject): EpochMs | undefined {
  const delivered = deliveredSeries(config, snapshot.series);
  const starts = snapshot.series
    .filter((series) => !delivered.includes(series))
    .map(({ info }) => Math.max(info.from, finished.from));
  const first = Math.min(...starts);
  return first + Math.max(...intervalsOf(config)) < finished.to ? first : undefined;
}

function withTerms(
  config: BacktestConfig,
  terms: Partial<BacktestConfig['simulation']>,
): BacktestConfig {
  return { ...config, simulation: { ...config.simulation, ...terms } };
}
