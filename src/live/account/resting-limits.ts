import { formatUtc, type ProductKind } from '../../domain/index.js';
import { BATCH_CANCEL, COMMAND_LIMITS } from '../../venue/index.js';
import type { BotStatus } from '../bot/bot-control.js';

/**
 * Limits of orders and cancels that rest because the venue refused a call, by name, with a line for people. Entries wait until the rest is over;
 * exits can only go out then.
 */
export function restingLimits(
  budgets: BotStatus['budgets'],
  products: ReadonlySet<ProductKind>,
): ReadonlyMap<string, string> {
  const names = new Set<string>(
    [...products].flatMap((kind) => [
      COMMAND_LIMITS[kind].submit.id,
      COMMAND_LIMITS[kind].cancel.id,
    ]),
  );
  if (products.has('spot')) names.add(BATCH_CANCEL.id);
  return new Map(
    budgets.flatMap(({ name, restsUntil }) =>
      restsUntil !== undefined && names.has(name)
        ? [
            [
              `limit ${name}`,
              `the venue refused a call too many: nothing of the limit ${name} is sent until ${formatUtc(restsUntil)}`,
            ],
          ]
        : [],
    ),
  );
}
