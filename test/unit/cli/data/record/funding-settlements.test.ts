import { describe, expect, it } from 'vitest';
import { FundingSettlements } from '../../../../../src/cli/data/record/funding-settlements.js';
import {
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
  type FundingRateKnown,
} from '../../../../../src/domain/index.js';

const DAY = Date.UTC(2025, 0, 1);
const INTERVAL = 8 * HOUR_MS;
const at = (hours: number): number => DAY + hours * HOUR_MS;

const settlements = (known: FundingRateKnown, after?: number): FundingSettlements =>
  new FundingSettlements({ intervalMs: INTERVAL, known, after });

describe('FundingSettlements of a venue that shows the rate of the current period', () => {
  it('settles the last rate shown before a boundary', () => {
    const rates = settlements('current');

    expect(rates.take(at(7), 1n)).toEqual({});
    expect(rates.take(at(8) - 15 * SECOND_MS, 2n)).toEqual({});
    expect(rates.take(at(8), 3n)).toEqual({ paid: { time: at(8), rate: 2n } });
    expect(rates.take(at(8) + 15 * SECOND_MS, 4n)).toEqual({});
  });

  it.each([
    ['was read long before', at(8) - 6 * MINUTE_MS, 2n],
    ['was not shown', at(8) - SECOND_MS, undefined],
  ])('reports a rate as missed that %s', (_what, time, rate) => {
    const rates = settlements('current');
    rates.take(time, rate);

    expect(rates.take(at(8), 3n)).toEqual({ missed: { from: at(8), to: at(8) } });
  });

  it('reports settlements between the stored rate and the first reading as missed', () => {
    const rates = settlements('current', at(-16));

    expect(rates.take(at(1), 1n)).toEqual({ missed: { from: at(-8), to: at(0) } });
    expect(rates.take(at(8) - SECOND_MS, 5n)).toEqual({});
    expect(rates.take(at(8), 6n)).toEqual({ paid: { time: at(8), rate: 5n } });
  });

  it('settles a boundary once, even if the clock moves back over it', () => {
    const rates = settlements('current');
    rates.take(at(8) - SECOND_MS, 1n);
    rates.take(at(8), 2n);

    expect(rates.take(at(8) - 1, 1n)).toEqual({});
    expect(rates.take(at(8) + 1, 2n)).toEqual({});
  });
});

describe('FundingSettlements of a venue that shows the last settled rate', () => {
  it('settles the rate shown a minute after a boundary, and the first rate at once', () => {
    const rates = settlements('settled');

    expect(rates.take(at(3), 1n)).toEqual({ paid: { time: at(0), rate: 1n } });
    expect(rates.take(at(8), 1n)).toEqual({});
    expect(rates.take(at(8) + MINUTE_MS, 2n)).toEqual({ paid: { time: at(8), rate: 2n } });
  });

  it('does not settle a stored boundary again, and reports boundaries in between as missed', () => {
    expect(settlements('settled', at(0)).take(at(3), 1n)).toEqual({});
    expect(settlements('settled', at(-24)).take(at(3), 1n)).toEqual({
      paid: { time: at(0), rate: 1n },
      missed: { from: at(-16), to: at(-8) },
    });
  });
});
