import { HOUR_MS, MINUTE_MS, nounOf } from '../../domain/index.js';
import {
  figureOf,
  figureText,
  parametersText,
  type BestTrial,
  type Goal,
  type SweepProgress,
} from '../../research/index.js';
import type { TextOutput } from '../cli-context.js';
import { ProgressLine } from '../progress.js';

/** Shows the progress of a sweep on a terminal, and the time for the rest at the pace so far. */
export class SweepProgressLine {
  readonly #line: ProgressLine;
  readonly #startedAt = performance.now();

  constructor(output: TextOutput) {
    this.#line = new ProgressLine(output);
  }

  /** `best`: text about the best trial so far. */
  show(progress: SweepProgress, best = ''): void {
    this.#line.show(describeProgress(progress, performance.now() - this.#startedAt) + best);
  }

  /** Estimated time for the rest; undefined before the first run has ended. */
  leftMs(progress: SweepProgress): number | undefined {
    return restOf(progress, performance.now() - this.#startedAt);
  }

  clear(): void {
    this.#line.clear();
  }
}

/** Describes the progress of a sweep that has run for `elapsedMs`. */
export function describeProgress(progress: SweepProgress, elapsedMs: number): string {
  const { done, failed, total } = progress;
  const percent = Math.floor((100 * done) / Math.max(1, total));
  const parts = [
    `${String(done)} of ${String(total)} ${nounOf(total, 'combination')}, ${String(percent)} %`,
  ];
  if (failed > 0) parts.push(`${String(failed)} failed`);
  const leftMs = restOf(progress, elapsedMs);
  if (leftMs !== undefined) parts.push(`${describeRest(leftMs)} left`);
  return parts.join(', ');
}

function restOf({ done, ran, total }: SweepProgress, elapsedMs: number): number | undefined {
  return ran > 0 ? (elapsedMs / ran) * (total - done) : undefined;
}

/** Describes a time to wait: in seconds up to two minutes, then in minutes, then in hours and minutes. */
export function describeRest(ms: number): string {
  if (ms < 2 * MINUTE_MS) return `${String(Math.ceil(ms / 1_000))} s`;
  const minutes = Math.ceil(ms / MINUTE_MS);
  if (ms < 2 * HOUR_MS) return `${String(minutes)} min`;
  return `${String(Math.floor(minutes / 60))} h ${String(minutes % 60)} min`;
}

/** Describes the best trial so far, as an addition to the progress: `; best sharpe 1.92: fast 5, slow 20`. */
export function describeBestSoFar(
  best: BestTrial | undefined,
  { name }: Pick<Goal, 'name'>,
): string {
  if (best === undefined) return '';
  const figure = figureText(name, figureOf(best.outcome, { name }));
  return `; best ${name} ${figure}: ${parametersText(best.parameters)}`;
}
