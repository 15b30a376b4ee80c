import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  formatFixed,
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  type FuturesInstrument,
} from '../../../src/domain/index.js';
import { FundingCharges } from '../../../src/live/funding-charges.js';
import type { ProfitRecord } from '../../../src/venue/index.js';
import { futuresAccount } from '../../support/live/beliefs.js';

const HOUR = Date.UTC(2025, 0, 1, 8);
const CONTRACT: FuturesInstrument = {
  kind: 'futures',
  id: createInstrumentId('futures', 'E-BTC-USDT'),
  symbol: 'E-BTC-USDT',
  base: 'BTC',
  quote: 'USDT',
  contract: 'linear',
  multiplier: parseFixed('0.01'),
  marginAsset: 'USDT',
  leverage: parseFixed('5'),
  marginMode: 'isolated',
};

/** A long position that is held while `state.holds`, and the updates that report its charges. */
function aLong() {
  const state = { holds: true, fundingFee: '-2', results: [] as ProfitRecord[], reads: 0 };
  const told: string[] = [];
  const charges = new FundingCharges({
    source: {
      account: () => {
        state.reads += 1;
        const fundingFee = parseFixed(state.fundingFee);
        const position = { instrumentId: CONTRACT.id, direction: 'long' as const, fundingFee };
        return Promise.resolve(futuresAccount(state.holds ? [position] : []));
      },
      profits: async function* () {
        yield* await Promise.resolve(state.results);
      },
    },
    feed: { readMark: (id) => Promise.resolve({ instrumentId: id, markPrice: 1n } as never) },
    paidRate: () => undefined,
    signal: new AbortController().signal,
    contracts: [CONTRACT],
    holds: (_, direction) => state.holds && direction === 'long',
    since: HOUR - 10_000,
    told: new Map([[`${CONTRACT.id} long`, parseFixed('-1.5')]]),
    onUpdate: (update) => {
      told.push('amount' in update ? formatFixed(update.amount) : update.kind);
    },
    onMissing: (text) => told.push(text),
  });
  return { state, told, charges };
}

function aResult(fundingFee: string, updatedTime: number, side: 'buy' | 'sell' = 'buy') {
  const id = String(updatedTime);
  return { id, side, fundingFee: parseFixed(fundingFee), updatedTime } as ProfitRecord;
}

describe('FundingCharges', () => {
  it('reports once an hour the charges since the last report', async () => {
    const { state, told, charges } = aLong();

    expect(charges.look(HOUR - 1)).toBe(false);
    expect(charges.look(HOUR)).toBe(true);
    await charges.read(HOUR);
    expect(charges.look(HOUR + 2_000)).toBe(false);
    state.fundingFee = '-2.25';
    await charges.read(HOUR + HOUR_MS);

    expect(told).toEqual(['-0.5', '-0.25']);
  });

  it('reports a charge that the venue posts late one minute after the hour', async () => {
    const { state, told, charges } = aLong();
    state.fundingFee = '-1.5';
    await charges.read(HOUR);
    state.fundingFee = '-2.25';
    expect(charges.look(HOUR + MINUTE_MS - 1)).toBe(false);
    expect(charges.look(HOUR + MINUTE_MS)).toBe(true);
    await charges.read(HOUR + MINUTE_MS);
    expect(charges.look(HOUR + HOUR_MS - 1)).toBe(false);

    expect(told).toEqual(['-0.75']);
  });

  it('reports a late charge of a position that was closed meanwhile', async () => {
    const { state, told, charges } = aLong();
    state.fundingFee = '-1.5';
    await charges.read(HOUR);
    state.holds = false;
    state.results = [aResult('-2.25', HOUR + 20_000)];
    charges.look(HOUR + 30_000);
    expect(charges.look(HOUR + MINUTE_MS)).toBe(true);
    await charges.read(HOUR + MINUTE_MS);

    expect(told).toEqual(['-0.75']);
  });

  it('reports the charge of a position that ended between a settlement and the next reading', async () => {
    const { state, told, charges } = aLong();
    charges.look(HOUR - 2_000);
    state.holds = false;
    state.results = [
      aResult('-9', HOUR - HOUR_MS),
      aResult('-7', HOUR + 1_000, 'sell'),
      aResult('-2', HOUR + 1_000),
      aResult('-4', HOUR + 5_000),
    ];

    expect(charges.look(HOUR + 6_000)).toBe(true);
    await charges.read(HOUR + 6_000);

    expect(told).toEqual(['-0.5']);
    expect(charges.look(HOUR + HOUR_MS)).toBe(false);
  });

  it('accepts a result shortly before the settlement if the position still looked open', async () => {
    const { state, told, charges } = aLong();
    charges.look(HOUR - 2_000);
    state.holds = false;
    state.results = [aResult('-9', HOUR - 50_000), aResult('-2', HOUR - 3_000)];

    await charges.read(HOUR);

    expect(told).toEqual(['-0.5']);
  });

  it('reports that the venue has no result of an ended position', async () => {
    const { state, told, charges } = aLong();
    charges.look(HOUR - 2_000);
    state.holds = false;

    await charges.read(HOUR);

    expect(told).toEqual([expect.stringContaining('the venue shows no result of the position')]);
  });
});
