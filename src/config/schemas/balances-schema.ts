import { z } from 'zod';
import {
  PRODUCT_KINDS,
  type AccountBalances,
  type Asset,
  type Fixed,
  type ProductKind,
} from '../../domain/index.js';
import type { KeyPath } from '../yaml/key-path.js';
import { Reference, type FileContext } from './reference.js';
import { addProblem, decimalText } from './scalars.js';
import { suggestAsset } from '../problems/suggest-value.js';

/** Amounts by asset, or by account and asset; at least one above 0. `place` is the path of the mapping in the file. */
export function balancesSchema(
  place: KeyPath,
): z.ZodType<Reference<AccountBalances>, Record<string, string>> {
  return z
    .record(
      z.string().regex(/^(?:(?:spot|margin|futures):)?[A-Za-z0-9]{1,20}$/),
      decimalText(
        { min: '0' },
        'a quoted decimal; an account and its asset are one key, such as spot:USDT',
      ),
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
    })
    .transform((written) => new Reference((file) => sortIntoAccounts(written, place, file)));
}

/** Sorts amounts by account. An asset without an account belongs to the only product that the bot trades. */
function sortIntoAccounts(
  written: Readonly<Record<string, Fixed>>,
  place: KeyPath,
  { instruments, problem }: FileContext,
): AccountBalances {
  const traded = PRODUCT_KINDS.filter((kind) => instruments.some((each) => each.kind === kind));
  const accounts: Partial<Record<ProductKind, Map<Asset, Fixed>>> = {};
  for (const [name, amount] of Object.entries(written)) {
    const { kind, asset } = readName(name, traded);
    const suggestion = suggestAsset(asset, instruments);
    if (suggestion !== undefined) {
      const details = { code: 'E_CONFIG_KEY', received: JSON.stringify(name), suggestion } as const;
      problem([...place, name], 'an asset of the instruments', details);
    }
    if (kind === undefined || !traded.includes(kind)) {
      const wanted = traded.map((product) => `${product}:${asset}`).join(' or ');
      problem(
        [...place, name],
        kind === undefined ? `${wanted}, because several products are traded` : wanted,
        { code: 'E_CONFIG_KEY', received: JSON.stringify(name) },
      );
      continue;
    }
    const account = (accounts[kind] ??= new Map());
    if (account.has(asset)) {
      problem([...place, name], `one amount of ${asset} per account`, {
        code: 'E_CONFIG_DUPLICATE',
        received: 'two',
      });
    }
    account.set(asset, amount);
  }
  return accounts;
}

function readName(
  name: string,
  traded: readonly ProductKind[],
): { readonly kind: ProductKind | undefined; readonly asset: Asset } {
  const colon = name.indexOf(':');
  if (colon === -1) return { kind: traded.length === 1 ? traded[0] : undefined, asset: name };
  const kind = PRODUCT_KINDS.find((product) => product === name.slice(0, colon));
  return { kind, asset: name.slice(colon + 1) };
}
