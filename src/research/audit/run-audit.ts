import type { BacktestConfig } from '../../assembly/backtest/index.js';
import type { ParameterDeclarations } from '../../strategy/index.js';
import type { MarketSnapshot } from '../trials/market-snapshot.js';
import {
  notDone,
  requireFinished,
  type AuditSubject,
  type PlannedPart,
  type RunJob,
} from './audit-desk.js';
import type { AuditPlace, AuditRunner } from './audit-job.js';
import { AUDIT_VERSION, type Audit, type AuditPart } from './audit-schema.js';
import { planAblation } from './ablation.js';
import { planCapacity } from './capacity.js';
import { findKnownPrices, type PluginText } from './known-prices.js';
import { planLookAhead } from './look-ahead.js';
import { deliveredSeries } from './market-change.js';
import { areAlike, judgeRepeats, repeatRuns, REPEATS, type Repeats } from './repeat-runs.js';
import { planSensitivity } from './sensitivity.js';
import { planSliceOrder } from './slice-order.js';
import { planWarmUp } from './warm-up.js';

interface AuditOptions {
  readonly strategy: string;
  readonly sourceHash: string;
  readonly config: BacktestConfig;
  /** Market of all runs, with finer candles if some are stored. */
  readonly snapshot: MarketSnapshot;
  readonly parts: readonly AuditPart[];
  /** The parameters that the strategy declares. */
  readonly declared: ParameterDeclarations;
  /** Seed of everything that is drawn. */
  readonly seed: number;
  /** Instants after which the market is changed. */
  readonly instants: number;
  /** Most runs at once. */
  readonly jobs: number;
  /** What the text of the plugin shows about differences between runs, one line each. Lines about packages are notes. */
  readonly said: { readonly findings: readonly string[]; readonly notes: readonly string[] };
  /** The plugin and the files that it imports by relative paths. */
  readonly texts: readonly PluginText[];
  /** Starts a runner for the jobs. Each runner loads the plugin anew, and must be closed. */
  readonly startRunner: (place: AuditPlace) => Promise<AuditRunner>;
  /** Called after the first backtest, when the greatest number of backtests is known. */
  readonly onPlan?: ((plan: { readonly runs: number }) => void) | undefined;
  /** Called before and after each run. `total` is smaller before the first run has ended. */
  readonly onProgress?: ((progress: AuditProgress) => void) | undefined;
}

interface AuditProgress {
  readonly done: number;
  readonly total: number;
}

/**
 * Audits one strategy on its own market and returns the document. Writes nothing.
 *
 * @throws {DataError} with its own code when the plain run fails; what the runners throw.
 */
export async function runAudit(options: AuditOptions): Promise<Audit> {
  return new AuditSession(options).play();
}

/** Sections of the document by their keys. */
type Sections = Pick<
  Audit,
  'lookAhead' | 'determinism' | 'warmUp' | 'order' | 'sensitivity' | 'ablation' | 'capacity'
>;

class AuditSession {
  readonly #options: AuditOptions;
  #done = 0;
  #total = 1 + REPEATS.same + REPEATS.elsewhere;

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  async play(): Promise<Audit> {
    const { config, strategy, sourceHash, snapshot, seed } = this.#options;
    const first = await this.#start({ jobs: 1 });
    try {
      const listsRules = this.#options.parts.includes('ablation');
      const base = await first.run({ config, listsWarmups: true, listsRules });
      const finished = requireFinished(base);
      const subject = { config, snapshot, base, finished, seed };
      const planned = this.#plan(subject);
      for (const { runs } of Object.values(planned)) this.#total += runs;
      this.#options.onPlan?.({ runs: this.#total });
      const repeats = await repeatRuns(config, first, (place) => this.#start(place));
      await first.close();
      const sections = await this.#judge(subject, planned, repeats);
      const { from, to } = finished;
      return {
        version: AUDIT_VERSION,
        audit: {
          strategy,
          parameters: config.strategy.parameters,
          source: sourceHash,
          from,
          to,
          seed,
          runs: this.#done,
        },
        ...sections,
      };
    } finally {
      await first.close();
    }
  }

  /** The requested parts, without determinism, whose runs must not overlap with others. */
  #plan(subject: AuditSubject): PlannedSections {
    const { parts, instants } = this.#options;
    const wanted = (part: AuditPart): boolean => parts.includes(part);
    return {
      ...(wanted('look-ahead') && {
        lookAhead: planLookAhead(subject, instants, this.#knownPrices()),
      }),
      ...(wanted('warm-up') && { warmUp: planWarmUp(subject) }),
      ...(wanted('order') && { order: planSliceOrder(subject) }),
      ...(wanted('sensitivity') && { sensitivity: planSensitivity(subject) }),
      ...(wanted('ablation') && { ablation: planAblation(subject, this.#options.declared) }),
      ...(wanted('capacity') && { capacity: planCapacity(subject) }),
    };
  }

  #knownPrices(): readonly string[] {
    const { texts, config, snapshot } = this.#options;
    return findKnownPrices(texts, deliveredSeries(config, snapshot.series));
  }

  async #judge(
    subject: AuditSubject,
    planned: PlannedSections,
    repeats: Repeats,
  ): Promise<Sections> {
    const { parts, said, jobs } = this.#options;
    const { lookAhead, warmUp, order, sensitivity, ablation, capacity } = planned;
    const noticed = subject.finished.noticed ?? [];
    const determinism = judgeRepeats(subject, repeats, {
      findings: [...said.findings, ...noticed],
      notes: [...said.notes],
    });
    const shown = parts.includes('determinism') ? { determinism } : {};
    if (!areAlike(subject.base, repeats)) return { ...unjudged(planned), ...shown };
    const runner = await this.#start({ jobs });
    const run: RunJob = (job) => runner.run(job);
    try {
      return {
        ...(lookAhead && { lookAhead: await lookAhead.judge(run) }),
        ...shown,
        ...(warmUp && { warmUp: await warmUp.judge(run) }),
        ...(order && { order: await order.judge(run) }),
        ...(sensitivity && { sensitivity: await sensitivity.judge(run) }),
        ...(ablation && { ablation: await ablation.judge(run) }),
        ...(capacity && { capacity: await capacity.judge(run) }),
      };
    } finally {
      await runner.close();
    }
  }

  async #start(place: AuditPlace): Promise<AuditRunner> {
    const runner = await this.#options.startRunner(place);
    return {
      ...runner,
      run: async (job) => {
        this.#tell();
        const ended = await runner.run(job);
        this.#done += 1;
        this.#tell();
        return ended;
      },
    };
  }

  #tell(): void {
    this.#options.onProgress?.({ done: this.#done, total: this.#total });
  }
}

type PlannedSections = {
  readonly [Key in Exclude<keyof Sections, 'determinism'>]?: PlannedPart<
    NonNullable<Sections[Key]>
  >;
};

const UNLIKE = 'two runs on the same candles differ, so that no difference says anything else';

/** Sections if a run cannot be repeated: the proofs are not done, and parts that only inform are absent. */
function unjudged({ lookAhead, warmUp, order }: PlannedSections): Sections {
  const proof = notDone(UNLIKE);
  return {
    ...(lookAhead && { lookAhead: { ...proof, instants: 0, compared: 0, finer: null } }),
    ...(warmUp && {
      warmUp: {
        ...proof,
        ...{ lookback: 0, heard: 0, starts: 0 },
        settled: { decisions: 0, changed: 0 },
        ...{ moves: [], fields: [] },
      },
    }),
    ...(order && { order: { ...proof, instruments: 0, decisions: 0 } }),
  };
}
