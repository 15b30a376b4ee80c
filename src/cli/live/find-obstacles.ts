import { checkTypesInThread } from '../check/check-types-in-thread.js';
import type { TypeCheck } from '../check/check-types.js';
import {
  describeIdleProtections,
  describeTextFindings,
  describeTypeFindings,
} from '../check/describe-findings.js';
import type { CliContext } from '../cli-context.js';
import type { UnloggedSetup } from './load-setups.js';

/**
 * Runs the parts of `check` that need no stored candles: types, the plugin's text, and protections without effect. One line per finding; a
 * finding that several bots share appears once.
 */
export async function findObstacles(
  setups: readonly Pick<UnloggedSetup, 'bot'>[],
  context: Pick<CliContext, 'cwd' | 'checkTypes' | 'signal'>,
): Promise<readonly string[]> {
  const { checkTypes = checkTypesInThread } = context;
  const types = new Map<string, Promise<TypeCheck>>();
  const found = setups.map(async ({ bot }) => {
    const { path } = bot.config.strategy;
    const checking = types.get(path) ?? checkTypes(path, context.signal);
    types.set(path, checking);
    return [
      ...describeTypeFindings(await checking, context),
      ...describeTextFindings(bot, context),
      ...describeIdleProtections(bot),
    ];
  });
  return [...new Set((await Promise.all(found)).flat())];
}
