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
 * What `check` finds of bots without their stored candles, which a session does not need: types, text and protections that guard nothing. One line
 * each; what bots have in common is said once.
 */
export async function findObstacles(
  setups: readonly Pick<UnloggedSetup, 'bot'>[],
  context: Pick<CliContext, 'cwd' | 'checkTypes'>,
): Promise<readonly string[]> {
  const { checkTypes = checkTypesInThread } = context;
  const types = new Map<string, Promise<TypeCheck>>();
  const found = setups.map(async ({ bot }) => {
    const { path } = bot.config.strategy;
    const checking = types.get(path) ?? checkTypes(path);
    types.set(path, checking);
    return [
      ...describeTypeFindings(await checking, context),
      ...describeTextFindings(bot, context),
      ...describeIdleProtections(bot),
    ];
  });
  return [...new Set((await Promise.all(found)).flat())];
}
