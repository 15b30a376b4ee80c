import { describe, expect, it } from 'vitest';
import {
  AuthError,
  createInstrumentId,
  parseFixed,
  TransportError,
  type Instrument,
  type InstrumentId,
  type InstrumentRules,
  type TradingError,
} from '../../../src/domain/index.js';
import { Activity } from '../../../src/live/bot/activity.js';
import { GoneInstruments } from '../../../src/live/market/gone-instruments.js';
import { InstrumentWatch } from '../../../src/live/market/instrument-watch.js';
import { createSessionTime } from '../../../src/live/session/session-time.js';
import {
  VenueRefusalError,
  type Listing,
  type Listings,
  type Ticker,
} from '../../../src/venue/index.js';
import { aLinearContract } from '../../support/futures-contracts.js';
import { settle, VirtualTime } from '../../support/virtual-time.js';

const MINUTE = 60_000;
const RULES: InstrumentRules = { tradable: true, pricePrecision: 2, quantityPrecision: 5 };
const [BTC, ETH] = ['BTCUSDT', 'ETHUSDT'].map((symbol) => createInstrumentId('spot', symbol)) as [
  InstrumentId,
  InstrumentId,
];

function aPair(id: InstrumentId): Instrument {
  const symbol = id.slice('spot:'.length);
  return { kind: 'spot', id, symbol, base: symbol.slice(0, 3), quote: 'USDT' };
}

function aListing(id: InstrumentId, rules: Partial<InstrumentRules> = {}): Listing {
  const { symbol } = aPair(id);
  const common = { instrumentId: id, symbol, base: symbol.slice(0, 3), quote: 'USDT' };
  return { ...common, kind: 'spot', rules: { ...RULES, ...rules } };
}

function aContractListing(
  { id: instrumentId, symbol, base, quote }: Instrument,
  multiplier: string,
): Listing {
  return {
    ...{ kind: 'futures', instrumentId, symbol, base, quote, rules: RULES, contract: 'linear' },
    ...{ contractType: 'E', multiplier: parseFixed(multiplier), multiplierAsset: base },
    ...{ marginAsset: quote, maxLimitMoney: undefined, contractId: undefined },
  };
}

function aBench(
  closings: ReadonlyMap<InstrumentId, { readonly text: string }> = new Map(),
  gone = new GoneInstruments(),
  instruments: readonly Instrument[] = [BTC, ETH].map(aPair),
  differing?: ReadonlyMap<InstrumentId, string>,
) {
  const time = new VirtualTime(0);
  const told: (readonly [InstrumentId, string | undefined])[] = [];
  const changes: (readonly [InstrumentId, InstrumentRules])[] = [];
  const known = new Map([BTC, ETH].map((id) => [id, RULES]));
  const venue = {
    listings: [aListing(BTC), aListing(ETH)] as readonly Listing[],
    fails: undefined as TradingError | undefined,
    reads: 0,
    /** Whether the venue reports prices of instruments that it does not list. */
    hasPrices: true,
    /** Whether orders and executions of an instrument that is listed again can be read. */
    isReadable: true,
  };
  const steps: string[] = [];
  const failures: unknown[] = [];
  const watch = new InstrumentWatch({
    source: {
      listings: () => {
        venue.reads += 1;
        const { listings } = venue;
        return venue.fails
          ? Promise.reject(venue.fails)
          : Promise.resolve({ listings, skipped: [] } as unknown as Listings<never>);
      },
      ticker: () =>
        venue.hasPrices
          ? Promise.resolve({} as Ticker)
          : Promise.reject(new VenueRefusalError('Invalid symbol', '-1121', false)),
    },
    gone,
    onGone: (id) => steps.push(`${id} gone`),
    onBack: (id) => {
      steps.push(`${id} read`);
      return venue.isReadable
        ? Promise.resolve()
        : Promise.reject(new TransportError('E_TIMEOUT', 'no answer'));
    },
    onReturned: (id) => steps.push(`${id} back`),
    instruments,
    differing,
    closings,
    rulesOf: (id) => known.get(id),
    time: createSessionTime(time),
    activity: new Activity(),
    signal: new AbortController().signal,
    onRules: (id, rules) => {
      known.set(id, rules);
      changes.push([id, rules]);
    },
    onClosed: (id, text) => {
      told.push([id, text]);
    },
    onFailure: (error) => failures.push(error),
  });
  const pass = async (ms: number): Promise<void> => {
    await time.advance(ms);
    await settle();
  };
  return { watch, venue, known, told, changes, failures, steps, pass };
}

describe('InstrumentWatch', () => {
  it('reports nothing while the rules are unchanged, and reads rarely', async () => {
    const { watch, venue, told, changes, pass } = aBench();

    watch.start();
    await pass(20 * MINUTE);

    expect([told, changes]).toEqual([[], []]);
    expect(venue.reads).toBe(5);
  });

  it('closes only the instrument that is delisted, until it is listed again', async () => {
    const { watch, venue, told, pass } = aBench();
    watch.start();
    venue.listings = [aListing(ETH)];

    await pass(6 * MINUTE);
    venue.listings = [aListing(BTC), aListing(ETH)];
    await pass(MINUTE);

    expect(told).toEqual([
      [BTC, 'spot:BTCUSDT: the venue lists it no more'],
      [BTC, undefined],
    ]);
  });

  it('treats an instrument without listing and price as gone until its account can be read again', async () => {
    const { watch, venue, told, steps, pass } = aBench();
    watch.start();
    await pass(MINUTE);
    venue.listings = [aListing(ETH)];
    venue.hasPrices = false;

    watch.failed(new VenueRefusalError('Invalid symbol', '-1121', false));
    await pass(1_000);
    const whileGone = [told.at(-1), [...steps]];
    venue.listings = [aListing(BTC), aListing(ETH)];
    venue.isReadable = false;
    await pass(MINUTE);
    const unread = [told.length, [...steps]];
    venue.isReadable = true;
    await pass(MINUTE);

    expect(whileGone).toEqual([
      [
        BTC,
        'spot:BTCUSDT: the venue lists it no more, knows no price of it, and takes no order for it',
      ],
      ['spot:BTCUSDT gone'],
    ]);
    expect(unread).toEqual([1, ['spot:BTCUSDT gone', 'spot:BTCUSDT read', 'spot:BTCUSDT read']]);
    expect(steps.slice(3, 5)).toEqual(['spot:BTCUSDT read', 'spot:BTCUSDT back']);
    expect(told.slice(1)).toEqual([[BTC, undefined]]);
  });

  it('announces an instrument that is gone at once, whatever the earlier reason', async () => {
    const gone = new GoneInstruments([BTC]);
    const { watch, venue, told, pass } = aBench(new Map([[BTC, { text: 'as before' }]]), gone);
    venue.listings = [aListing(ETH)];
    venue.hasPrices = false;

    watch.announce();
    const first = told.at(-1)?.[1];
    watch.start();
    await pass(6 * MINUTE);

    expect(first).toContain('no more');
    expect(told).toHaveLength(1);
  });

  it('reads the listings at most twice a minute because of refused readings', async () => {
    const { watch, venue, pass } = aBench();
    watch.start();
    await pass(MINUTE);
    const before = venue.reads;

    for (let second = 0; second < 60; second += 1) {
      watch.failed(new VenueRefusalError('Invalid symbol', '-1121', false));
      watch.failed(new TransportError('E_TIMEOUT', 'no answer'));
      await pass(1_000);
    }

    expect(venue.reads - before).toBe(2);
  });

  it('closes an instrument that is not tradable as soon as an order is refused', async () => {
    const { watch, venue, told, pass } = aBench();
    watch.start();
    await pass(MINUTE);
    venue.listings = [aListing(BTC, { tradable: false }), aListing(ETH)];

    watch.refused(BTC, { code: '-1146', text: 'not tradable now' });
    await pass(1_000);

    expect(told.at(-1)).toEqual([BTC, 'spot:BTCUSDT: is not tradable now']);
  });

  it('closes a contract whose multiplier differs at the venue, until it is the same', async () => {
    const contract = aLinearContract();
    const { watch, venue, told, pass } = aBench(new Map(), new GoneInstruments(), [contract]);
    venue.listings = [aContractListing(contract, '0.001')];
    watch.start();
    await pass(1_000);
    const closed = told.at(-1);
    venue.listings = [aContractListing(contract, '0.01')];
    await pass(MINUTE);

    expect(closed?.[0]).toBe(contract.id);
    expect(closed?.[1]).toContain('tested with a multiplier of 0.01, has 0.001');
    expect(told.at(-1)).toEqual([contract.id, undefined]);
  });

  it('closes at once what differs by the reading of the start, until the first look', async () => {
    const differing = new Map([[BTC, 'BTCUSDT: tested with quantityPrecision 5, has 2']]);
    const { watch, told, pass } = aBench(new Map(), new GoneInstruments(), undefined, differing);

    watch.announce();
    const closed = [...told];
    watch.start();
    await pass(1_000);

    expect(closed).toEqual([[BTC, 'BTCUSDT: tested with quantityPrecision 5, has 2']]);
    expect(told.at(-1)).toEqual([BTC, undefined]);
  });

  it('doubles the wait of entries with each refusal in a row, up to five minutes', async () => {
    const { watch, told, pass } = aBench();
    watch.start();
    const waits: number[] = [];
    for (let refusal = 0; refusal < 10; refusal += 1) {
      watch.refused(BTC, { code: '-1137', text: 'too much' });
      let waited = 0;
      while (told.at(-1)?.[1] !== undefined) {
        await pass(1_000);
        waited += 1;
      }
      waits.push(waited);
    }

    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    watch.accepted(BTC);
    watch.refused(BTC, { code: '-1137', text: 'too much' });
    expect(told.at(-1)?.[1]).toContain('1 in a row; entries wait for 2 s');
  });

  it('ignores the refusal of an order that does not concern its instrument', () => {
    const { watch, told } = aBench();

    watch.refused(BTC, { code: '-2010', text: 'insufficient balance' });

    expect(told).toEqual([]);
  });

  it('reports changed rules once, and keeps limits that only the configuration has', async () => {
    const { watch, venue, changes, known, pass } = aBench();
    const configured = { ...RULES, minOrderMoney: parseFixed('5') };
    known.set(BTC, configured);
    venue.listings = [aListing(BTC, { quantityPrecision: 2 }), aListing(ETH)];
    watch.start();

    await pass(30 * MINUTE);

    expect(changes).toEqual([[BTC, { ...configured, quantityPrecision: 2 }]]);
  });

  it('opens an instrument that an earlier process has closed', async () => {
    const { watch, told, pass } = aBench(new Map([[ETH, { text: 'spot:ETHUSDT: was gone' }]]));

    watch.start();
    await pass(1_000);

    expect(told).toEqual([[ETH, undefined]]);
  });

  it('ignores a failed reading of the listings', async () => {
    const { watch, venue, told, failures, pass } = aBench();
    venue.fails = new TransportError('E_TIMEOUT', 'no answer');
    watch.start();

    await pass(20 * MINUTE);

    expect([told, failures]).toEqual([[], []]);
  });

  it.each(['E_BANNED', 'E_AUTH'] as const)(
    'goes on if the venue refuses the listings (%s): the bot waits until calls are served again',
    async (code) => {
      const { watch, venue, failures, told, pass } = aBench();
      venue.fails = new AuthError(code, 'refused');
      watch.start();
      await pass(6 * MINUTE);
      venue.fails = undefined;
      venue.listings = [aListing(ETH)];
      await pass(5 * MINUTE);

      expect(failures).toEqual([]);
      expect(told).toEqual([[BTC, 'spot:BTCUSDT: the venue lists it no more']]);
    },
  );
});
