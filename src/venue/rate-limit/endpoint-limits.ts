import { InvariantError } from '../../domain/index.js';
import type { LimitRule } from './limit-rule.js';

/** What an endpoint's row says about its limit. */
interface LimitedEndpoint {
  readonly id: string;
  readonly rateLimit: {
    /** Endpoints of one bucket share one budget. */
    readonly bucket: string;
    readonly count: number;
    readonly windowMs: number;
  };
}

/**
 * Reads the rules out of the endpoint table: one per bucket, in the order of the table.
 *
 * `keptForCommands` names buckets in which some calls per window are for commands only. A client keeps one of the two that futures
 * allow; a server keeps none.
 * @throws {InvariantError} `E_LIMIT_RULE` when endpoints of one bucket state different limits, or a kept bucket is not in the table.
 */
export function limitRulesOf(
  endpoints: readonly LimitedEndpoint[],
  keptForCommands: Readonly<Record<string, number>> = {},
): readonly LimitRule[] {
  const rules = new Map<string, LimitRule>();
  for (const { id, rateLimit } of endpoints) {
    const { bucket, count, windowMs } = rateLimit;
    const kept = keptForCommands[bucket];
    const known = rules.get(bucket);
    if (known !== undefined && (known.limit !== count || known.windowMs !== windowMs)) {
      throw new InvariantError(
        'E_LIMIT_RULE',
        `${id}: expected ${String(known.limit)} per ${String(known.windowMs)} ms as the rest of bucket "${bucket}", ` +
          `received ${String(count)} per ${String(windowMs)} ms`,
      );
    }
    rules.set(bucket, {
      id: bucket,
      limit: count,
      windowMs,
      ...(kept === undefined ? {} : { keptForCommands: kept }),
    });
  }
  const unknown = Object.keys(keptForCommands).find((bucket) => !rules.has(bucket));
  if (unknown !== undefined) {
    throw new InvariantError('E_LIMIT_RULE', `there is no bucket "${unknown}" in the table`);
  }
  return [...rules.values()];
}

/** What the live client keeps: one of the two futures calls per second, so that a cancel never waits for a poll. */
export const KEPT_FOR_COMMANDS: Readonly<Record<string, number>> = { futures: 1 };
