import { fitsBudget, planPolls, type PollBudget } from '../assembly/index.js';
import { secondsText, type ConfigError } from '../domain/index.js';
import type { BotStatus } from '../live/index.js';
import type { LoadedConfig } from '../config/index.js';

/** Calls that the polls of several bots need together, and problems with them. */
export interface BudgetCheck {
  readonly budgets: readonly PollBudget[];
  readonly problems: readonly ConfigError[];
}

/**
 * Checks the polls of bots that run in one process. Bots without a venue, and those on a venue of their own (which keeps its limits itself), are left
 * out.
 *
 * @param mode - `live` if not yet decided.
 */
export function checkBudgets(
  bots: readonly LoadedConfig[],
  mode: BotStatus['mode'] = 'live',
): BudgetCheck {
  const polling = bots.filter(
    ({ config }) => config.venue !== undefined && config.venue.path === undefined,
  );
  const [first] = polling;
  if (first === undefined) return { budgets: [], problems: [] };
  const budgets = planPolls(
    polling.map(({ config }) => config),
    mode,
  );
  const together = polling.length > 1 ? ` of ${String(polling.length)} bots together` : '';
  const problems = budgets
    .filter((budget) => !fitsBudget(budget))
    .map((budget) =>
      first.document.problem('E_CONFIG_BUDGET', ['instruments'], {
        expected: `polls${together} that need at most ${String(budget.mostPerMinute)} calls per minute of the limit "${budget.name}", and read the last candle of a close within live.staleAfterMs (${secondsText(budget.staleAfterMs)})`,
        received: describeBudget(budget),
      }),
    );
  return { budgets, problems };
}

/** Describes needed calls for people: `41 calls per minute, the last candle of a close within 42.3 s`. */
export function describeBudget({ callsPerMinute, lastCandleMs }: PollBudget): string {
  const last =
    lastCandleMs === undefined
      ? ''
      : `, the last candle of a close within ${secondsText(lastCandleMs)}`;
  const calls = callsPerMinute === 1 ? 'call' : 'calls';
  return `${String(callsPerMinute)} ${calls} per minute${last}`;
}
