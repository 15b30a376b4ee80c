import { z } from 'zod';
import { addProblem, decimalText } from './scalars.js';

/** Amounts by asset, or by account and asset; at least one above 0. */
export const balancesSchema = z
  .record(
    z.string().regex(/^(?:(?:spot|margin|futures):)?[A-Za-z0-9]{1,20}$/),
    decimalText({ min: '0' }),
    {
      error: (issue) =>
        issue.code === 'invalid_key'
          ? 'an asset such as USDT, or an account and an asset such as futures:USDT'
          : 'a mapping of assets to amounts',
    },
  )
  .superRefine((balances, context) => {
    if (Object.values(balances).some((amount) => amount > 0n)) return;
    addProblem(context, 'at least one balance > 0', { code: 'E_CONFIG_VALUE', received: 'none' });
  });
