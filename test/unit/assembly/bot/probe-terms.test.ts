import { describe, expect, it } from 'vitest';

import { probeTerms } from '../../../../src/assembly/bot/terms/probe-terms.js';
import type { AssertedTerms } from '../../../../src/live/index.js';
import {
  formatFixed,
  OutcomeUnknownError,
  parseFixed,
  RuleBook,
  TransportError,
  type FuturesInstrument,
  type OrderRequest,
} from '../../../../src/domain/index.js';
import { buildVenueExchange } from '../../../../src/local-exchange/index.js';
import { DEFAULT_CHOICES } from '../../../support/risk/builders.js';
import type { ExecutionAdapter } from '../../../../src/venue/index.js';
import { createDirectVenue } from '../../../support/local-exchange/direct-venue.js';
import { testVenue } from '../../../support/local-exchange/lockstep-run.js';
import {
  FUTURES_ID,
  MARKET_START,
  testAccount,
  testInstruments,
} from '../../../support/local-exchange/test-exchange.js';
import { rejectionOf } from '../../../support/failure.js';
import { VirtualTime } from '../../../support/virtual-time.js';

const ASSERTED: AssertedTerms = {
  instrumentId: FUTURES_ID,
  leverage: parseFixed('5'),
  marginMode: 'isolated',
  positionMode: 'oneWay',
};
const FEES = { maker: 0n, taker: parseFixed('0.001'), paidIn: 'received' } as const;
const REASON = { code: '-2010', text: 'not today' };
const { signal: UNENDING } = new AbortController();

function contract(): FuturesInstrument {
  const found = testInstruments().find(({ instrument }) => instrument.kind === 'futures');
  if (found?.instrument.kind !== 'futures') throw new Error('expected a contract');
  return found.instrument;
}

/** A probe at a simulated venue: 5x isolated, with long and short at once if not in one-way mode. */
function aProbe({
  positionMode = 'hedge',
  execution: change = (venue) => venue,
  signal = UNENDING,
}: {
  readonly positionMode?: 'hedge' | 'oneWay';
  readonly execution?: (venue: ExecutionAdapter) => Partial<ExecutionAdapter>;
  readonly signal?: AbortSignal;
} = {}) {
  const exchange = buildVenueExchange({
    venue: { ...testVenue(), futures: { positionMode, maxFeeRate: 0n } },
    start: MARKET_START,
    account: testAccount(),
    updatePollMs: 2_000,
    profile: 'interface',
    faults: { seed: 1, rules: [] },
    limits: undefined,
    transport: new VirtualTime(),
  });
  const venue = createDirectVenue(exchange);
  const sent: OrderRequest[] = [];
  const changed = { ...venue.execution, ...change(venue.execution) };
  const lines: string[] = [];
  const instrument = contract();
  const rules = new RuleBook();
  for (const source of testInstruments())
    if (source.instrument.id === FUTURES_ID) rules.set(FUTURES_ID, source.rules);
  return {
    venue,
    sent,
    lines,
    probe: (asserted: Partial<AssertedTerms> = {}) => {
      const known = rules.at(FUTURES_ID, MARKET_START);
      if (known === undefined) throw new Error('expected rules');
      return probeTerms({
        instrument,
        asserted: { ...ASSERTED, ...asserted },
        rules: known,
        policy: { ...DEFAULT_CHOICES, fees: () => FEES },
        venue: {
          market: venue.marketData,
          account: venue.account,
          execution: {
            ...changed,
            submit: async (order, options) => {
              options.signal.throwIfAborted();
              sent.push(order);
              return changed.submit(order, options);
            },
          },
        },
        now: venue.now,
        time: {
          after: (_delayMs, action) => {
            setImmediate(action);
            return () => undefined;
          },
        },
        log: (text) => lines.push(text),
        signal,
      });
    },
    held: async () => {
      const account = await venue.account.account('futures', { signal: UNENDING });
      return account.kind === 'futures'
        ? account.accounts
            .flatMap(({ positions }) => positions)
            .filter(({ isValid, quantity }) => isValid && quantity > 0n)
            .map(({ direction, quantity }) => `${direction} ${formatFixed(quantity)}`)
        : [];
    },
  };
}

function summaryOf(orders: readonly OrderRequest[]): readonly string[] {
  return orders.map(
    ({ type, side, action, quantity }) => `${type} ${side} ${action} ${formatFixed(quantity)}`,
  );
}

describe('probeTerms', () => {
  it('opens and closes the smallest position, and confirms the asserted terms', async () => {
    const { probe, sent, held, lines } = aProbe();

    expect(await probe()).toEqual([]);
    expect(summaryOf(sent)).toEqual(['limit buy open 1', 'market sell close 1']);
    expect(await held()).toEqual([]);
    expect(lines.at(-1)).toContain('the probe has ended, and nothing is held');
  });

  it('closes its position although it is to end meanwhile', async () => {
    const ending = new AbortController();
    const { probe, held } = aProbe({
      signal: ending.signal,
      execution: ({ submit }) => ({
        submit: async (order, options) => {
          const outcome = await submit(order, options);
          ending.abort(new TransportError('E_CLOSED', 'the bot was stopped while it started'));
          return outcome;
        },
      }),
    });

    expect(await probe()).toEqual([]);
    expect(await held()).toEqual([]);
  });

  it('sends nothing if it is to end before', async () => {
    const why = new TransportError('E_CLOSED', 'the bot was stopped while it started');
    const { probe, sent } = aProbe({ signal: AbortSignal.abort(why) });

    expect(await rejectionOf(probe())).toBe(why);
    expect(sent).toEqual([]);
  });

  it('reports terms that differ, and closes its position', async () => {
    const { probe, held } = aProbe();

    expect(await probe({ leverage: parseFixed('10'), marginMode: 'cross' })).toMatchObject([
      { kind: 'leverage-differs', actual: parseFixed('5') },
      { kind: 'margin-mode-differs', actual: 'isolated' },
    ]);
    expect(await held()).toEqual([]);
  });

  it('confirms hedge mode by holding both sides at once', async () => {
    const { probe, sent, held } = aProbe();

    expect(await probe({ positionMode: 'hedge' })).toEqual([]);
    expect(summaryOf(sent)).toEqual([
      'limit buy open 1',
      'limit sell open 1',
      'market sell close 1',
      'market buy close 1',
    ]);
    expect(await held()).toEqual([]);
  });

  it('reports a venue in one-way mode', async () => {
    const { probe, sent, held } = aProbe({ positionMode: 'oneWay' });

    expect(await probe({ positionMode: 'hedge' })).toEqual([
      {
        kind: 'position-mode-differs',
        instrumentId: FUTURES_ID,
        configured: 'hedge',
        actual: 'oneWay',
        seenIn: 'open position',
      },
    ]);
    expect(sent).toHaveLength(2);
    expect(await held()).toEqual([]);
  });

  it('refuses a contract with an open position, and sends nothing', async () => {
    const { probe, venue, sent, held } = aProbe();
    const external = aProbe();
    await external.probe();
    const opening = external.sent[0];
    if (opening === undefined) throw new Error('expected an order');
    await venue.execution.submit(opening as never, { signal: UNENDING });

    expect(await rejectionOf(probe())).toMatchObject({
      code: 'E_PROBE_REFUSED',
      message: `${FUTURES_ID}: the probe was not made: the contract is not flat: long 1`,
    });
    expect(sent).toEqual([]);
    expect(await held()).toEqual(['long 1']);
  });

  it.each([
    ['the venue rejects', () => Promise.resolve({ kind: 'rejected', reason: REASON } as const)],
    ['never left', () => Promise.reject(new TransportError('E_CLOSED', 'no connection'))],
  ])('refuses the probe after a first order that %s', async (_, submit) => {
    const { probe, held } = aProbe({ execution: () => ({ submit }) });

    expect(await rejectionOf(probe())).toMatchObject({ code: 'E_PROBE_REFUSED' });
    expect(await held()).toEqual([]);
  });

  it('reports the position at the venue if the outcome of an order is unknown', async () => {
    const { probe, sent } = aProbe({
      execution: (venue) => ({
        submit: async (order, options) => {
          await venue.submit(order, options);
          throw new OutcomeUnknownError('E_OUTCOME_UNKNOWN', 'the connection broke');
        },
      }),
    });

    const failure = await rejectionOf(probe());

    expect(failure).toMatchObject({ code: 'E_PROBE_FAILED' });
    expect(failure.message).toContain('the connection broke; at the venue: long 1');
    expect(sent).toHaveLength(1);
  });

  it('reports a position that could not be closed', async () => {
    const { probe } = aProbe({
      execution: (venue) => ({
        submit: (order, options) =>
          order.action === 'open'
            ? venue.submit(order, options)
            : Promise.resolve({ kind: 'rejected', reason: REASON }),
      }),
    });

    const failure = await rejectionOf(probe());

    expect(failure).toMatchObject({ code: 'E_PROBE_FAILED' });
    expect(failure.message).toContain('closed 0 of 1 contract:');
    expect(failure.message).toContain('at the venue: long 1');
  });

  it('closes its long if the short that would confirm hedge mode is rejected', async () => {
    const { probe, held } = aProbe({
      execution: (venue) => ({
        submit: (order, options) =>
          order.side === 'sell' && order.action === 'open'
            ? Promise.resolve({ kind: 'rejected', reason: REASON })
            : venue.submit(order, options),
      }),
    });

    const failure = await rejectionOf(probe({ positionMode: 'hedge' }));

    expect(failure).toMatchObject({ code: 'E_PROBE_FAILED' });
    expect(failure.message).toContain('its long was closed');
    expect(await held()).toEqual([]);
  });

  it('fails if the venue never shows the end of an order', async () => {
    const { probe, venue } = aProbe();
    const { account } = venue;
    account.order = () => Promise.resolve(undefined);

    expect(await rejectionOf(probe())).toMatchObject({ code: 'E_PROBE_FAILED' });
  });
});
