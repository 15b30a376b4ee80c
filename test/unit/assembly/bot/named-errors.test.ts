import { describe, expect, it } from 'vitest';
import { namedErrors } from '../../../../src/assembly/bot/named-errors.js';
import { RateLimitError } from '../../../../src/domain/index.js';
import type { Venue } from '../../../../src/venue/index.js';
import { rejectionOf } from '../../../support/failure.js';

const OPTIONS = { signal: new AbortController().signal };

/** A venue whose ports all fail with one error. */
function failing(error: Error): Venue {
  const fail = (): Promise<never> => Promise.reject(error);
  const rows = async function* (): AsyncGenerator<never> {
    yield await fail();
  };
  return namedErrors({
    marketData: { serverTime: fail },
    execution: { submit: fail },
    account: { trades: rows },
  } as unknown as Venue);
}

async function firstOf(rows: AsyncIterable<unknown>): Promise<unknown> {
  for await (const row of rows) return row;
  return undefined;
}

describe('namedErrors', () => {
  it('turns an unknown error into a retryable error of a read, and into an unknown outcome of an order', async () => {
    const venue = failing(new TypeError('fetch failed'));

    expect(await rejectionOf(venue.marketData.serverTime('spot', OPTIONS))).toMatchObject({
      code: 'E_VENUE_THREW',
      retryable: true,
      message: 'venue.marketData.serverTime has thrown: TypeError: fetch failed',
    });
    expect(await rejectionOf(venue.execution.submit({} as never, OPTIONS))).toMatchObject({
      code: 'E_OUTCOME_UNKNOWN',
      message: 'venue.execution.submit has thrown: TypeError: fetch failed',
    });
    const rows = venue.account.trades('spot:BTCUSD' as never, OPTIONS);
    expect(await rejectionOf(firstOf(rows))).toMatchObject({ code: 'E_VENUE_THREW' });
  });

  it('turns an unknown error of a promise of another library into one, too', async () => {
    const { execution } = namedErrors({
      marketData: {},
      execution: {
        submit: () => ({
          then: (_: unknown, fail: (error: Error) => void) => {
            fail(new TypeError('fetch failed'));
          },
        }),
      },
      account: {},
    } as unknown as Venue);

    expect(await rejectionOf(execution.submit({} as never, OPTIONS))).toMatchObject({
      code: 'E_OUTCOME_UNKNOWN',
      message: 'venue.execution.submit has thrown: TypeError: fetch failed',
    });
  });

  it('keeps an error with a code, and the reason of an aborted signal', async () => {
    const slow = new RateLimitError('E_RATE_LIMIT', 'too many', 1_000);
    expect(await rejectionOf(failing(slow).execution.submit({} as never, OPTIONS))).toBe(slow);

    const ended = new AbortController();
    ended.abort(new Error('over'));
    const { execution } = failing(ended.signal.reason as Error);
    const { signal } = ended;
    expect(await rejectionOf(execution.submit({} as never, { signal }))).toBe(signal.reason);
  });

  it('reads ports that are frozen', async () => {
    const marketData = Object.freeze({ serverTime: () => Promise.resolve(1) });
    const ports = { marketData, execution: {}, account: {} } as unknown as Venue;

    expect(await namedErrors(ports).marketData.serverTime('spot', OPTIONS)).toBe(1);
  });
});
