import { isDeepStrictEqual } from 'node:util';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { TrialCrash } from './trials/trial-runner.js';
import type { TrialOutcome } from './trials/trial-schema.js';

/** Number of combinations that run again: the last one, because most others ran before it, and a random one. Each costs the start of a thread. */
const REPEATED = 2;
const SEED = 1;

/** A combination with another outcome when nothing has run before it. */
export interface TrialDifference {
  /** Its index in the sweep. */
  readonly index: number;
  readonly alone: TrialOutcome;
}

/**
 * Runs a few combinations of a sweep again, each alone, and returns those with another outcome. The choice depends only on the outcomes, so that a resumed
 * sweep gives the same answer.
 *
 * `runAlone` runs the combination with this index where nothing has run before.
 */
export async function repeatTrials(
  outcomes: readonly TrialOutcome[],
  runAlone: (index: number) => Promise<TrialOutcome>,
): Promise<readonly TrialDifference[]> {
  const repeated = await Promise.all(
    drawRepeated(outcomes).map(async (index) => ({
      index,
      alone: await runAlone(index).catch(describeCrash),
    })),
  );
  return repeated.filter(({ index, alone }) => !isDeepStrictEqual(alone, outcomes[index]));
}

/** Indexes of the combinations to run again, in order. A combination that crashed its thread is left out, because it may crash again. */
function drawRepeated(outcomes: readonly TrialOutcome[]): readonly number[] {
  const candidates = outcomes.flatMap((outcome, index) =>
    outcome.status === 'failed' && outcome.code === 'E_TRIAL_CRASHED' ? [] : [index],
  );
  const drawn = new Set<number>();
  const last = candidates.pop();
  if (last !== undefined) drawn.add(last);
  const random = xoroshiro128plus(SEED);
  while (drawn.size < REPEATED && candidates.length > 0) {
    const [index = 0] = candidates.splice(uniformInt(random, 0, candidates.length - 1), 1);
    drawn.add(index);
  }
  return [...drawn].sort((a, b) => a - b);
}

function describeCrash(error: unknown): TrialOutcome {
  if (!(error instanceof TrialCrash)) throw error;
  return { status: 'failed', code: 'E_TRIAL_CRASHED', message: error.message };
}

/** One figure of a combination, in the sweep and alone. */
interface FigureDifference {
  /** For example `equity.final`. */
  readonly name: string;
  readonly sweep: string | number | boolean | null;
  readonly alone: string | number | boolean | null;
}

/** The figures that differ between two outcomes. */
export function compareOutcomes(
  sweep: TrialOutcome,
  alone: TrialOutcome,
): readonly FigureDifference[] {
  const [ours, theirs] = [figuresOf(sweep), figuresOf(alone)];
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((name) => {
    const [one = null, two = null] = [ours.get(name), theirs.get(name)];
    return one === two ? [] : [{ name, sweep: one, alone: two }];
  });
}

function figuresOf(value: object, before = ''): ReadonlyMap<string, FigureDifference['sweep']> {
  return new Map(
    Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
      typeof member === 'object' && member !== null
        ? [...figuresOf(member, `${before}${key}.`)]
        : [[`${before}${key}`, member as FigureDifference['sweep']] as const],
    ),
  );
}
