import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fixedFromNumber,
  fixedToNumber,
  HOUR_MS,
  MINUTE_MS,
  type Fixed,
} from '../../../src/domain/index.js';
import { FundingSchedule } from '../../../src/simulator/index.js';
import {
  settlementsOf,
  type NaiveFunding,
  type NaiveSettlement,
} from '../../support/naive/naive-funding.js';

const START = Date.UTC(2026, 0, 1);
const SPAN_MS = 60 * HOUR_MS;
/** Reach to either side, long enough to contain a settlement of any constant rate. */
const BEYOND_MS = 25 * HOUR_MS;

const rates = fc.integer({ min: -300_000, max: 300_000 }).map((units) => units / 1e8);

/** Minutes of settlements: every 4 or 8 hours with some moved or left out, or any minutes. May be empty. */
const lists = fc
  .oneof(
    fc
      .record({
        hours: fc.constantFrom(4, 8),
        moved: fc.array(fc.constantFrom(0, 0, 0, 1, 37, -2), { minLength: 10, maxLength: 10 }),
      })
      .map(({ hours, moved }) => moved.map((minutes, index) => index * hours * 60 + minutes)),
    fc.uniqueArray(fc.nat({ max: SPAN_MS / MINUTE_MS }), { maxLength: 8 }),
  )
  .chain((minutes) => fc.subarray(minutes.filter((minute) => minute <= SPAN_MS / MINUTE_MS)))
  .map((minutes) => [...new Set(minutes)].sort((a, b) => a - b));

const fundings = fc
  .record({
    minutes: lists,
    rates: fc.array(rates, { minLength: 10, maxLength: 10 }),
    constant: fc.option(fc.record({ rate: rates, hours: fc.constantFrom(1, 4, 8, 24) }), {
      nil: undefined,
    }),
  })
  .map(({ minutes, rates: drawn, constant }): NaiveFunding => ({
    stored: minutes.map((minute, index) => ({
      time: START + minute * MINUTE_MS,
      rate: fixedFromNumber(drawn[index] ?? 0),
    })),
    constant: constant && {
      rate: fixedFromNumber(constant.rate),
      intervalMs: constant.hours * HOUR_MS,
    },
  }));

/** Whole minutes, instants a millisecond before or after one, and the middle of a minute. */
const instants = fc
  .integer({ min: -9 * 60, max: SPAN_MS / MINUTE_MS + 9 * 60 })
  .chain((minute) =>
    fc.constantFrom(-1, 0, 0, 1, 30_000).map((offset) => START + minute * MINUTE_MS + offset),
  );

function scheduleOf({ stored, constant }: NaiveFunding): FundingSchedule {
  return new FundingSchedule({
    stored: {
      time: Float64Array.from(stored, ({ time }) => time),
      rate: Float64Array.from(stored, ({ rate }) => fixedToNumber(rate)),
    },
    constant,
  });
}

function around(
  funding: NaiveFunding,
  time: number,
): {
  readonly before: NaiveSettlement | undefined;
  readonly after: NaiveSettlement | undefined;
} {
  const all = settlementsOf(funding, START - BEYOND_MS, START + SPAN_MS + BEYOND_MS);
  return {
    before: all.findLast((each) => each.time <= time),
    after: all.find((each) => each.time > time),
  };
}

describe('a funding schedule', () => {
  it('gives the times and rates of settlement that a check of each minute finds', () => {
    fc.assert(
      fc.property(fundings, instants, (funding, time) => {
        const schedule = scheduleOf(funding);
        const { before, after } = around(funding, time);

        expect(schedule.around(time)).toEqual({
          previous: before?.time ?? Number.NEGATIVE_INFINITY,
          next: after?.time ?? Number.POSITIVE_INFINITY,
        });
        expect(schedule.nextAfter(time)).toBe(after?.time ?? Number.POSITIVE_INFINITY);
        for (const each of [before, after])
          if (each !== undefined) expect(schedule.rateAt(each.time)).toBe(each.rate);
      }),
    );
  });

  it('shows the rate of the next settlement, or with `settled` of the last one', () => {
    fc.assert(
      fc.property(fundings, instants, (funding, time) => {
        const schedule = scheduleOf(funding);
        const { before, after } = around(funding, time);
        const otherwise: Fixed | undefined = funding.constant?.rate;

        expect(schedule.shownAt(time, 'current')).toBe(after?.rate ?? otherwise);
        expect(schedule.shownAt(time, 'settled')).toBe(before?.rate ?? otherwise);
      }),
    );
  });
});
