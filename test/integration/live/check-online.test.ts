import { describe, expect, it, onTestFinished } from 'vitest';

import {
  marketCapabilitiesOf,
  checkOnline,
  connectLive,
  isProfileOf,
  parseVenueProfile,
  withKnown,
  type OnlineReport,
  type SessionConfig,
} from '../../../src/assembly/index.js';
import { createRuleBook } from '../../../src/assembly/market/create-instruments.js';
import { requireSession } from '../../../src/bots/require-session.js';
import { Secret } from '../../../src/client/index.js';
import { createInstrumentId, present, type RuleBook } from '../../../src/domain/index.js';
import { parseFaultRule } from '../../../src/local-exchange/index.js';
import type { AnswerProfile } from '../../../src/venue/wire/index.js';
import { MeddlingProxy } from '../../support/local-exchange/meddling-proxy.js';
import {
  serveTestExchange,
  type ServedTestExchange,
} from '../../support/local-exchange/served-exchange.js';
import {
  FUTURES_ID,
  MARKET_START,
  SPOT_ID,
  testAccount,
} from '../../support/local-exchange/test-exchange.js';
import { loadYaml } from '../../support/cli/bot-yaml.js';
import { REAL_TIME } from '../../support/real-time.js';
import { quickQueue } from '../../support/venue-client.js';

async function aVenue(profile: AnswerProfile): Promise<ServedTestExchange> {
  const served = await serveTestExchange({ profile });
  onTestFinished(() => served.close());
  served.exchange.advanceTo(MARKET_START);
  return served;
}

interface Look {
  readonly secret?: string;
  readonly patienceMs?: number;
  readonly pricePrecision?: number;
  readonly minOrderMoney?: string;
  readonly url?: string;
  /** @defaultValue that of spot */
  readonly futuresUrl?: string;
}

async function look(served: ServedTestExchange, how: Look = {}): Promise<OnlineReport> {
  const config = await aConfig(how.url ?? served.url, how);
  // In lockstep the client goes by the exchange's time, as in parity.
  const { marketTime } = served.exchange.parts;
  const machine = {
    now: () => marketTime.now(),
    after: (delayMs: number, action: () => void) => REAL_TIME.after(delayMs, action),
  };
  const { key, secret } = testAccount();
  const connection = connectLive({
    config,
    credentials: { key: new Secret(key), secret: new Secret(how.secret ?? secret) },
    machine,
    random: () => 0.5,
    queue: quickQueue(),
  });
  onTestFinished(() => connection.close());
  return checkOnline({
    config,
    terms: { rules: rulesOf(config) },
    connection,
    machine,
    signal: new AbortController().signal,
    patienceMs: how.patienceMs,
  });
}

function rulesOf(config: SessionConfig): RuleBook {
  return createRuleBook(config);
}

async function aConfig(
  url: string,
  { futuresUrl = url, pricePrecision = 2, minOrderMoney = '5' }: Look,
): Promise<SessionConfig> {
  const loaded = await loadYaml(`name: online
strategy: { path: ./unused.strategy.ts }
instruments:
  - { product: spot, symbol: BTCUSDT, intervals: [1min] }
  - { product: margin, symbol: BTCUSDT, intervals: [1min], leverage: 3 }
  - { product: futures, symbol: E-BTC-USDT, intervals: [1min], leverage: 5, marginMode: isolated, contract: linear, multiplier: "0.0001" }
venue: { spotUrl: "${url}", futuresUrl: "${futuresUrl}", keyEnv: KEY, secretEnv: SECRET }
live: { blindMargin: true }
simulation:
  archive: .
  balances: { "spot:USDT": "100000" }
  fees: { maker: "0.001", taker: "0.001" }
  rules:
    BTCUSDT: { pricePrecision: ${String(pricePrecision)}, quantityPrecision: 5, minOrderMoney: "${minOrderMoney}" }
    E-BTC-USDT: { pricePrecision: 2, quantityPrecision: 0, minOrderQuantity: "1", maxLimitQuantity: "1000000", maxMarketMoney: "10000000", maxWorkingOrders: 200 }
`);
  return requireSession(loaded, 'live');
}

function statusOf({ steps }: OnlineReport, name: string): string | undefined {
  return steps.find((step) => step.name.startsWith(name))?.status;
}

/** The row of a step, as text. */
function rowOf({ steps }: OnlineReport, name: string): string | undefined {
  const step = steps.find((each) => each.name === name);
  return step && `${step.status}: ${step.text}`;
}

/** The address of a proxy before the venue that drops `startTime` and `endTime` of klines. */
async function withoutSpans({ url }: ServedTestExchange): Promise<string> {
  const proxy = await MeddlingProxy.start(url);
  onTestFinished(() => proxy.stop());
  proxy.meddle = (path) => {
    const asked = new URL(path, url);
    if (!asked.searchParams.has('startTime')) return undefined;
    for (const name of ['startTime', 'endTime']) asked.searchParams.delete(name);
    return ({ response }) => {
      void fetch(asked)
        .then((answer) => answer.text())
        .then((text) => response.end(text));
    };
  };
  return proxy.url;
}

describe('check --online', () => {
  it.each(['interface', 'family'] as const)(
    'finds the capabilities of a venue in profile %s, and places nothing',
    async (profile) => {
      const served = await aVenue(profile);

      const report = await look(served);

      expect(report.steps.filter(({ status }) => status !== 'ok')).toEqual([]);
      const isFamily = profile === 'family';
      expect(report.profile.capabilities).toEqual({
        testOrders: true,
        klinesHaveStartTime: true,
        conditionalOrderList: isFamily,
        conditionalOrderCancel: isFamily,
      });
      const { accounts, marketTime } = served.exchange.parts;
      const { account } = present(accounts.byUser(testAccount().userId), 'an account');
      const placed = [SPOT_ID, createInstrumentId('margin', 'BTCUSDT'), FUTURES_ID].flatMap(
        (id) => [
          ...account.orders(id, marketTime.now()),
          ...account.triggers(id, marketTime.now()),
        ],
      );
      expect(placed).toEqual([]);
    },
    30_000,
  );

  it('reports a wrong key, and still checks public calls', async () => {
    const served = await aVenue('interface');

    const report = await look(served, { secret: 'wrong' });

    expect(statusOf(report, 'ping spot')).toBe('ok');
    for (const name of ['read spot', 'read margin', 'read futures', 'test order'])
      expect(statusOf(report, name)).toBe('failed');
    expect(report.profile.capabilities.conditionalOrderList).toBeUndefined();
  }, 30_000);

  it('reports rules that differ', async () => {
    const served = await aVenue('interface');

    const { steps } = await look(served, { pricePrecision: 1 });

    expect(steps.find(({ name }) => name === 'rules spot')).toMatchObject({
      status: 'failed',
      text: expect.stringContaining('tested with pricePrecision 1, has 2') as string,
    });
  }, 30_000);

  it.each(['maintenance', 'html', 'malformed-json'] as const)(
    'reports the failed steps of a venue that answers with %s, and ends',
    async (fault) => {
      const served = await aVenue('interface');
      served.exchange.addFault({ fault, endpoints: ['futures.*'] } as never);

      const report = await look(served, { patienceMs: 3_000 });

      expect(statusOf(report, 'ping futures')).toBe('failed');
      expect(statusOf(report, 'read futures')).toBe('skipped');
      expect(statusOf(report, 'read spot')).toBe('ok');
    },
    60_000,
  );

  it('reports the offset of a clock with which the bot would not start', async () => {
    const served = await aVenue('interface');
    served.exchange.addFault(parseFaultRule({ fault: 'clock-skew', offsetMs: 60_000 }));

    const report = await look(served);

    for (const name of ['clock spot', 'clock futures'])
      expect(rowOf(report, name)).toMatch(
        /^failed: (59\d{3}|60000) ms from this machine's, give or take \d+ ms; live\.maxClockOffsetMs allows \d+ ms$/,
      );
    expect(statusOf(report, 'ping spot')).toBe('ok');
  }, 30_000);

  it('reports why the venue refuses the smallest order of a pair', async () => {
    const served = await aVenue('interface');

    const report = await look(served, { minOrderMoney: '0.5' });

    expect(rowOf(report, 'test order BTCUSDT')).toMatch(/^failed: 0\.\d+ at \d+(\.\d+)?: .+/);
    // The listing does not show the problem. Only an order does.
    expect(statusOf(report, 'rules spot')).toBe('ok');
    // The venue has the call. It refuses this one order.
    expect(report.profile.capabilities.testOrders).toBe(true);
  }, 30_000);

  it('detects that the start time of klines is ignored', async () => {
    const served = await aVenue('interface');

    const report = await look(served, { url: await withoutSpans(served) });

    for (const host of ['spot', 'futures'])
      expect(rowOf(report, `klines ${host}`)).toBe(
        'ok: the start time is ignored: only the newest 300 candles can be read',
      );
    expect(report.profile.capabilities.klinesHaveStartTime).toBe(false);
  }, 30_000);

  it('reports skipped steps if one of two hosts is down, and checks all of the other', async () => {
    const served = await aVenue('family');

    const report = await look(served, { futuresUrl: 'http://127.0.0.1:1', patienceMs: 1_000 });

    const skipped = 'skipped: the venue does not answer';
    expect(rowOf(report, 'ping futures')).toMatch(/^failed: .+/);
    for (const name of ['clock', 'read', 'rules', 'klines'])
      expect(rowOf(report, `${name} futures`)).toBe(skipped);
    const spot = ['ping', 'clock', 'read', 'rules', 'klines'].map((name) => `${name} spot`);
    for (const name of [...spot, 'read margin', 'test order BTCUSDT'])
      expect(statusOf(report, name)).toBe('ok');
    // The futures host did not answer, so its property of klines stays unknown.
    expect(report.profile.capabilities).toEqual({ testOrders: true });
  }, 30_000);

  it('ends if no host answers', async () => {
    const served = await aVenue('interface');

    const report = await look(served, { url: 'http://127.0.0.1:1', patienceMs: 1_000 });

    expect(report.steps.filter(({ status }) => status === 'ok').map(({ name }) => name)).toEqual([
      'limits',
    ]);
    expect(report.profile.capabilities).toEqual({});
  }, 30_000);
});

describe('a profile of a venue', () => {
  const profile = {
    version: 1,
    checkedAt: 1,
    venue: { spotUrl: 'https://a.example' },
    capabilities: { klinesHaveStartTime: true },
  } as const;

  it('is read back unchanged, and any other text is rejected', () => {
    expect(parseVenueProfile(JSON.stringify(profile))).toEqual(profile);
    for (const text of ['', '{', '{}', JSON.stringify({ ...profile, more: 1 })])
      expect(parseVenueProfile(text)).toBeUndefined();
  });

  it('keeps capabilities of an earlier profile of the same venue that are now unknown', () => {
    const found = (capabilities: object, spotUrl = 'https://a.example') =>
      ({ ...profile, checkedAt: 2, venue: { spotUrl }, capabilities }) as const;
    const better = found({ klinesHaveStartTime: true, testOrders: true });

    expect(withKnown(found({}), better)).toEqual({
      profile: found({ klinesHaveStartTime: true, testOrders: true }),
      kept: ['klinesHaveStartTime', 'testOrders'],
    });
    expect(withKnown(found({ klinesHaveStartTime: false }), better)).toEqual({
      profile: found({ klinesHaveStartTime: false, testOrders: true }),
      kept: ['testOrders'],
    });
    expect(withKnown(found({}, 'https://b.example'), better).kept).toEqual([]);
    expect(withKnown(better, undefined)).toEqual({ profile: better, kept: [] });
  });

  it('applies to its venue only, and completes unknown capabilities from the interface', () => {
    const at = (spotUrl: string) => isProfileOf(profile, { venue: { spotUrl } } as never);

    expect([at('https://a.example'), at('https://b.example')]).toEqual([true, false]);
    expect(marketCapabilitiesOf(profile)).toEqual({ klinesHaveStartTime: true });
    expect(marketCapabilitiesOf(undefined)).toEqual({ klinesHaveStartTime: false });
  });
});
