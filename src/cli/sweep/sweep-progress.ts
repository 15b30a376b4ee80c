import { HOUR_MS, MINUTE_MS } from '../../domain/index.js';
import type { SweepProgress } from '../../research/index.js';
import type { TextOutput } from '../cli-context.js';
import { ProgressLine } from '../progress.js';

/** Says on a terminal how far a sweep is and how long the rest will take at its pace. */
export class SweepProgressLine {
  readonly #line: ProgressLine;
  readonly #startedAt = performance.now();

  constructor(output: TextOutput) {
    this.#line = new ProgressLine(output);
  }

  show(progress: SweepProgress): void {
    this.#line.show(describeProgress(progress, performance.now() - this.#startedAt));
  }

  clear(): void {
    this.#line.clear();
  }
}

/** One line for a sweep that has run for `elapsedMs`. */
export function describeProgress(
  { done, ran, failed, total }: SweepProgress,
  elapsedMs: number,
): string {
  const percent = Math.floor((100 * done) / Math.max(1, total));
  const parts = [`${String(done)} of ${String(total)} combinations, ${String(percent)} %`];
  if (failed > 0) parts.push(`${String(failed)} failed`);
  if (ran > 0) parts.push(`${describeRest((elapsedMs / ran) * (total - done))} left`);
  return parts.join(', ');
}

/** A duration for waiting: in seconds up to two minutes, then in minutes, then in hours and minutes. */
export function describeRest(ms: number): string {
  if (ms < 2 * MINUTE_MS) return `${String(Math.ceil(ms / 1_000))} s`;
  const minutes = Math.ceil(ms / MINUTE_MS);
  if (ms < 2 * HOUR_MS) return `${String(minutes)} min`;
  return `${String(Math.floor(minutes / 60))} h ${String(minutes % 60)} min`;
}
