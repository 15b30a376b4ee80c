import type { FeeChange, InstrumentConfig, SimulationConfig } from '../../assembly/index.js';
import {
  DomainError,
  PRODUCT_KINDS,
  TierBook,
  type AccountBalances,
  type Asset,
  type DatedTiers,
  type Fixed,
  type InstrumentId,
  type ProductKind,
} from '../../domain/index.js';
import { byInstrument, type CheckContext } from './by-instrument.js';
import type { KeyPath } from './key-path.js';
import type { BotDocument } from './schema.js';

type Written = NonNullable<BotDocument['simulation']>;

/** Sorts the amounts at `place` into accounts. A bare asset belongs to the one product that is traded. */
export function buildBalances(
  written: Written['balances'],
  place: KeyPath,
  instruments: readonly InstrumentConfig[],
  { document, problems }: CheckContext,
): AccountBalances {
  const traded = PRODUCT_KINDS.filter((kind) => instruments.some((each) => each.kind === kind));
  const accounts: Partial<Record<ProductKind, Map<Asset, Fixed>>> = {};
  for (const [name, amount] of Object.entries(written)) {
    const { kind, asset } = readName(name, traded);
    if (kind === undefined || !traded.includes(kind)) {
      const wanted = traded.map((product) => `${product}:${asset}`).join(' or ');
      problems.push(
        document.problem('E_CONFIG_KEY', [...place, name], {
          expected: kind === undefined ? `${wanted}, because several products are traded` : wanted,
          received: JSON.stringify(name),
        }),
      );
      continue;
    }
    const account = (accounts[kind] ??= new Map());
    if (account.has(asset)) {
      problems.push(
        document.problem('E_CONFIG_DUPLICATE', [...place, name], {
          expected: `one amount of ${asset} per account`,
          received: 'two',
        }),
      );
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

/** Resolves the symbols of dated fees. */
export function buildFeeChanges(
  changes: Written['fees']['changes'],
  instruments: readonly InstrumentConfig[],
  { document, problems }: CheckContext,
): readonly FeeChange[] {
  return changes.flatMap(({ symbol, ...rates }, index): readonly FeeChange[] => {
    if (symbol === undefined) return [{ ...rates, instrumentId: undefined }];
    const named = instruments.filter(
      ({ instrumentId, symbol: own }) => symbol === instrumentId || symbol === own,
    );
    if (named.length === 0) {
      problems.push(
        document.problem('E_CONFIG_VALUE', ['simulation', 'fees', 'changes', index, 'symbol'], {
          expected: `one of the configured instruments ${instruments.map((each) => each.symbol).join(', ')}`,
        }),
      );
    }
    return named.map(({ instrumentId }) => ({ ...rates, instrumentId }));
  });
}

/** Resolves the contracts of leverage tiers, and checks the tiers. */
export function buildFutures(
  { fundingInterval, tiers, ...futures }: Written['futures'],
  instruments: readonly InstrumentConfig[],
  context: CheckContext,
): SimulationConfig['futures'] {
  const place = ['simulation', 'futures', 'tiers'];
  const dated = new Map(
    Object.entries(tiers).map(([name, entries]): [string, readonly DatedTiers[]] => [
      name,
      entries.map((entry) => ({
        from: entry.from ?? 0,
        tiers: entry.tiers.map(({ maxValue, ...tier }) => ({ maxValue, ...tier })),
      })),
    ]),
  );
  for (const [name, entries] of dated) {
    try {
      new TierBook().set(name as InstrumentId, entries);
    } catch (error: unknown) {
      if (!(error instanceof DomainError)) throw error;
      context.problems.push(
        context.document.problem('E_CONFIG_VALUE', [...place, name], {
          expected: 'consistent tiers',
          received: `others (${error.message})`,
        }),
      );
    }
  }
  return {
    ...futures,
    fundingIntervalMs: fundingInterval,
    tiers: byInstrument(Object.fromEntries(dated), place, instruments, context),
  };
}
