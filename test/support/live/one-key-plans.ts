import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { requireSession } from '../../../src/bots/require-session.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { createInstrumentId, parseFixed } from '../../../src/domain/index.js';
import type { SyntheticListing } from '../../../src/local-exchange/index.js';
import { aLinearContract } from '../futures-contracts.js';

/** Instruments of one bot, as numbers of synthetic assets. Bots may share pairs but not contracts. */
export interface BotPlan {
  readonly pairs: readonly number[];
  readonly contracts: readonly number[];
}

/** Whole numbers that follow each other. */
export const range = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index);

export const pairOf = (number: number): string => `C${String(number)}USDT`;
export const contractOf = (number: number): string => `E-C${String(number)}-USDT`;

/** Writes the file of a bot for a plan, and loads its configuration. */
export async function configOf(
  { pairs, contracts }: BotPlan,
  { folder, url, name }: { readonly folder: string; readonly url: string; readonly name: string },
) {
  const rules = [
    ...pairs.map(
      (number) =>
        `    ${pairOf(number)}: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }`,
    ),
    ...contracts.map(
      (number) =>
        `    ${contractOf(number)}: { pricePrecision: 2, quantityPrecision: 0, minOrderQuantity: "1" }`,
    ),
  ];
  const instruments = [
    ...pairs.map((number) => `  - { product: spot, symbol: ${pairOf(number)}, intervals: [1min] }`),
    ...contracts.map(
      (number) =>
        `  - { product: futures, symbol: ${contractOf(number)}, intervals: [1min], multiplier: "0.01", leverage: 5, marginMode: isolated }`,
    ),
  ];
  const balances = [
    ...(pairs.length > 0 ? ['"spot:USDT": "100000"'] : []),
    ...(contracts.length > 0 ? ['"futures:USDT": "100000"'] : []),
  ];
  const file = path.join(folder, `${name}.yaml`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    file,
    `version: 1
name: ${name}
strategy: { path: ./unused.strategy.ts }
instruments:
${instruments.join('\n')}
venue: { ${pairs.length > 0 ? `spotUrl: ${url}, ` : ''}futuresUrl: ${url}, keyEnv: SHARED_KEY, secretEnv: SHARED_SECRET }
live: { externalOrders: ignore, unverified: accept, staleAfterMs: 60000 }
simulation:
  archive: .
  balances: { ${balances.join(', ')} }
  fees: { maker: "0.001", taker: "0.001" }
  rules:
${rules.join('\n')}
`,
  );
  return requireSession(await loadConfig({ file, cwd: folder }), 'live');
}

/** Synthetic listings of all instruments of the plans. */
export function listingsOf(plans: readonly BotPlan[]): readonly SyntheticListing[] {
  const made = { startPrice: 100, volatility: 0.5, dailyVolume: 1_000_000 };
  const pairs = [...new Set(plans.flatMap((plan) => plan.pairs))];
  const contracts = [...new Set(plans.flatMap((plan) => plan.contracts))];
  return [
    ...pairs.map((number): SyntheticListing => {
      const [symbol, base] = [pairOf(number), `C${String(number)}`];
      const id = createInstrumentId('spot', symbol);
      return {
        instrument: { kind: 'spot', id, symbol, base, quote: 'USDT' },
        rules: {
          tradable: true,
          pricePrecision: 2,
          quantityPrecision: 5,
          minOrderMoney: parseFixed('5'),
        },
        made,
      };
    }),
    ...contracts.map((number): SyntheticListing => ({
      instrument: aLinearContract(`C${String(number)}`),
      rules: {
        tradable: true,
        pricePrecision: 2,
        quantityPrecision: 0,
        minOrderQuantity: parseFixed('1'),
      },
      made,
    })),
  ];
}
