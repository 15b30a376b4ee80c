import { describe, expect, it } from 'vitest';

import {
  formatFixed,
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  TransportError,
  type FillRecord,
} from '../../../src/domain/index.js';
import type { EndedPosition } from '../../../src/engine/index.js';
import { FundingCharges } from '../../../src/live/account/funding-charges.js';
import type { ProfitRecord, VenuePosition } from '../../../src/venue/index.js';
import { aLinearContract } from '../../support/futures-contracts.js';
import { futuresAccount } from '../../support/live/beliefs.js';

const HOUR = Date.UTC(2025, 0, 1, 8);
const OPENED = HOUR - 20 * MINUTE_MS;
const CONTRACT = aLinearContract();
const LONG = `${CONTRACT.id} long`;

/** A position as the venue shows it. */
type Shown = Partial<Omit<VenuePosition, 'fundingFee'>> & { readonly fundingFee: string };

interface Given {
  /** Funding that was reported before. */
  readonly known?: string;
  readonly since?: number;
  /** A position of the time before. */
  readonly ended?: EndedPosition;
  /** Whether the books have the position. */
  readonly isOpen?: boolean;
}

/** A long position that the books hold since `OPENED`, and the updates that report its charges. */
function aLong({ known = '-1.5', since = HOUR - 10_000, ended, isOpen = true }: Given = {}) {
  const state = {
    openedTime: isOpen ? OPENED : (undefined as number | undefined),
    shown: { fundingFee: '-2' } as Shown | undefined,
    results: [] as ProfitRecord[],
    reads: 0,
    /** Whether the next reading fails. */
    isBroken: false,
  };
  const told: string[] = [];
  const times: number[] = [];
  const charges = new FundingCharges({
    source: {
      account: () => {
        state.reads += 1;
        if (state.isBroken) {
          state.isBroken = false;
          return Promise.reject(new TransportError('E_TIMEOUT', 'no answer'));
        }
        if (state.shown === undefined) return Promise.resolve(futuresAccount([]));
        const { fundingFee, ...position } = state.shown;
        const long = { instrumentId: CONTRACT.id, direction: 'long' as const, ...position };
        return Promise.resolve(futuresAccount([{ ...long, fundingFee: parseFixed(fundingFee) }]));
      },
      profits: async function* () {
        yield* await Promise.resolve(state.results);
      },
    },
    feed: { readMark: (id) => Promise.resolve({ instrumentId: id, markPrice: 1n } as never) },
    paidRate: () => undefined,
    signal: new AbortController().signal,
    contracts: [CONTRACT],
    openedTime: (_, direction) => (direction === 'long' ? state.openedTime : undefined),
    since,
    history: { funding: new Map([[LONG, parseFixed(known)]]), ended: ended ? [ended] : [] },
    onUpdate: (update) => {
      told.push('amount' in update ? formatFixed(update.amount) : update.kind);
      if ('eventTime' in update) times.push(update.eventTime);
    },
    onMissing: (text) => told.push(text),
  });
  const fill = (side: 'buy' | 'sell', time: number): void => {
    state.openedTime = side === 'buy' ? time : undefined;
    const action = side === 'buy' ? 'open' : 'close';
    charges.booked({ instrumentId: CONTRACT.id, side, action, eventTime: time } as FillRecord);
  };
  /** Closes the position at a time, and opens another one a second later. */
  const reopen = (closed: number): void => {
    fill('sell', closed);
    fill('buy', closed + 1_000);
    state.shown = { fundingFee: '0', positionId: '2', createdTime: closed + 1_000 };
  };
  return { state, told, times, charges, fill, reopen };
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
    state.shown = { fundingFee: '-2.25' };
    await charges.read(HOUR + HOUR_MS);

    expect(told).toEqual(['-0.5', '-0.25']);
  });

  it('reports a charge that the venue posts late one minute after the hour', async () => {
    const { state, told, charges } = aLong();
    state.shown = { fundingFee: '-1.5' };
    await charges.read(HOUR);
    state.shown = { fundingFee: '-2.25' };
    expect(charges.look(HOUR + MINUTE_MS - 1)).toBe(false);
    expect(charges.look(HOUR + MINUTE_MS)).toBe(true);
    await charges.read(HOUR + MINUTE_MS);
    expect(charges.look(HOUR + HOUR_MS - 1)).toBe(false);

    expect(told).toEqual(['-0.75']);
  });

  it('reports a late charge of a position that was closed meanwhile', async () => {
    const { state, told, charges, fill } = aLong();
    state.shown = { fundingFee: '-1.5' };
    await charges.read(HOUR);
    fill('sell', HOUR + 20_000);
    state.shown = undefined;
    state.results = [aResult('-2.25', HOUR + 20_000)];
    charges.look(HOUR + 30_000);
    expect(charges.look(HOUR + MINUTE_MS)).toBe(true);
    await charges.read(HOUR + MINUTE_MS);

    expect(told).toEqual(['-0.75']);
  });

  it('reports the charge of a position that ended between a settlement and the next reading', async () => {
    const { state, told, charges, fill } = aLong();
    charges.look(HOUR - 2_000);
    fill('sell', HOUR + 1_000);
    state.shown = undefined;
    state.results = [
      aResult('-9', HOUR - HOUR_MS),
      aResult('-7', HOUR + 1_000, 'sell'),
      aResult('-2', HOUR + 1_000),
      aResult('-4', HOUR + 5_000),
    ];

    expect(charges.look(HOUR + 6_000)).toBe(true);
    await charges.read(HOUR + 6_000);

    expect(told).toEqual(['-0.5']);
    expect(charges.look(HOUR + MINUTE_MS)).toBe(true);
    await charges.read(HOUR + MINUTE_MS);
    expect(told).toEqual(['-0.5']);
    expect(charges.look(HOUR + HOUR_MS)).toBe(false);
  });

  it('accepts a result shortly before the settlement if the position still looked open', async () => {
    const { state, told, charges } = aLong();
    charges.look(HOUR - 2_000);
    state.shown = undefined;
    state.results = [aResult('-9', HOUR - 50_000), aResult('-2', HOUR - 3_000)];

    await charges.read(HOUR);

    expect(told).toEqual(['-0.5']);
  });

  it('reports that the venue has no result of an ended position', async () => {
    const { state, told, charges } = aLong();
    charges.look(HOUR - 2_000);
    state.shown = undefined;

    await charges.read(HOUR);

    expect(told).toEqual([expect.stringContaining('the venue shows no result of the position')]);
  });

  it('reports the charge of a position after which another one was opened, at the time of its settlement', async () => {
    const { state, told, times, charges, reopen } = aLong();
    reopen(HOUR + 500);
    state.results = [aResult('-2', HOUR + 500)];

    expect(charges.look(HOUR + 4_000)).toBe(true);
    await charges.read(HOUR + 4_000);
    state.shown = { fundingFee: '-0.25', positionId: '2' };
    await charges.read(HOUR + HOUR_MS);

    expect(told).toEqual(['-0.5', '-0.25']);
    expect(times).toEqual([HOUR, HOUR + HOUR_MS]);
  });

  it('reports the charge of a position that began after the last look and ended before the reading', async () => {
    const { state, told, charges, fill, reopen } = aLong({ known: '-0.5' });
    charges.look(HOUR - 2_000);
    fill('sell', HOUR - 1_500);
    fill('buy', HOUR - 500);
    reopen(HOUR + 500);
    state.results = [aResult('-0.5', HOUR - 1_500), aResult('-3', HOUR + 500)];

    await charges.read(HOUR + 4_000);

    expect(told).toEqual(['-3']);
  });

  it('recognizes another position before the books have it', async () => {
    const { state, told, times, charges, reopen } = aLong();
    state.results = [aResult('-2', HOUR + 500)];
    state.shown = { fundingFee: '0', positionId: '2', createdTime: HOUR + 1_500 };
    await charges.read(HOUR + 4_000);
    reopen(HOUR + 500);
    await charges.read(HOUR + MINUTE_MS);

    expect(told).toEqual(['-0.5']);
    expect(times).toEqual([HOUR]);
  });

  it('keeps a position of which the venue shows another time of opening, but no result', async () => {
    const { state, told, charges } = aLong();
    state.shown = { fundingFee: '-2', createdTime: HOUR - MINUTE_MS };
    await charges.read(HOUR);

    expect(told).toEqual(['-0.5']);
  });

  it('reports a charge once although two parts of a start read it at the same time', async () => {
    const { told, charges } = aLong({ since: HOUR - HOUR_MS });

    await Promise.all([charges.readFirst(HOUR), charges.read(HOUR)]);

    expect(told).toEqual(['-0.5']);
  });

  it('reports a charge after a reading that failed beside it', async () => {
    const { state, told, charges } = aLong({ since: HOUR - HOUR_MS });
    state.isBroken = true;
    const broken = charges.readFirst(HOUR);
    const next = charges.read(HOUR + 1);
    await expect(broken).rejects.toThrow('no answer');
    await next;

    expect(told).toEqual(['-0.5']);
  });

  it('reports the charge of a position that ended just before the last process did', async () => {
    const life = { openedTime: OPENED, endedTime: HOUR + 500 };
    const ended = { key: LONG, ...life, funding: parseFixed('-1.5') };
    const { state, told, times, charges } = aLong({ since: HOUR + 1_000, ended, isOpen: false });
    state.shown = undefined;
    state.results = [aResult('-2', HOUR + 500)];

    expect(charges.look(HOUR + 10_000)).toBe(true);
    await charges.read(HOUR + 10_000);

    expect(told).toEqual(['-0.5']);
    expect(times).toEqual([HOUR]);
  });
});
