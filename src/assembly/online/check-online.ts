import type { HostName } from '../../client/index.js';
import type { SessionConfig } from '../../config/index.js';
import {
  AuthError,
  ceilToStep,
  floorToStep,
  formatFixed,
  MINUTE_MS,
  nounOf,
  present,
  SECOND_MS,
  TradingError,
  VENUE_INTERVALS,
  type InstrumentId,
} from '../../domain/index.js';
import { smallestQuantity } from '../../risk/index.js';
import { ENDPOINTS, FAMILY_ENDPOINTS } from '../../venue/wire/index.js';
import type { ExchangeConnection, MachineTime } from '../bot/connection/live-connection.js';
import { findRuleDifferences } from '../bot/terms/verify-rules.js';
import type { MarketTerms } from '../market/load-terms.js';
import type { FoundCapabilities, VenueProfile } from './venue-profile.js';

interface CheckOnlineOptions {
  readonly config: SessionConfig;
  /** The rules that the bot uses. */
  readonly terms: Pick<MarketTerms, 'rules'>;
  readonly connection: Pick<ExchangeConnection, 'client' | 'venue' | 'budgets' | 'time'>;
  readonly machine: MachineTime;
  readonly signal: AbortSignal;
  /** Time limit of one check, in ms. @defaultValue 30 s */
  readonly patienceMs?: number | undefined;
}

/** The result of one check. `skipped`: the check was not made, because an earlier one has failed. */
interface OnlineStep {
  readonly name: string;
  readonly status: 'ok' | 'failed' | 'skipped';
  readonly text: string;
}

export interface OnlineReport {
  readonly steps: readonly OnlineStep[];
  readonly profile: VenueProfile;
}

const PATIENCE_MS = 30 * SECOND_MS;
/** How far back klines are requested, in candles: farther than a venue's answer goes without a start time. And how many. */
const FAR_BACK = 1_000;
const FEW = 5;
/** No venue gives this id to a trigger. */
const NO_TRIGGER = '1';
/** Codes of an answer that a call does not exist. */
const NO_SUCH_CALL = ['-1002', '-1020', 'HTTP 404', 'HTTP 405'];

/**
 * Checks everything about a venue that a bot needs and that needs no order: that it answers, its clock, the key's permissions to read, its rules, whether
 * it would accept the smallest order, and what it can do beyond the interface. Errors of the venue become results, not exceptions. Nothing is placed or
 * canceled: the only cancel is for a trigger that cannot exist.
 */
export async function checkOnline(options: CheckOnlineOptions): Promise<OnlineReport> {
  const check = new OnlineCheck(options);
  const hosts = hostsOf(options.config);
  for (const host of hosts) await check.host(host);
  await check.permissions();
  await check.rules();
  await check.testOrders();
  await check.startOfKlines();
  await check.triggers();
  check.limits();
  const { spotUrl, futuresUrl } = options.config.venue;
  return {
    steps: check.steps,
    profile: {
      version: 1,
      checkedAt: options.connection.time.now(),
      venue: {
        ...(spotUrl !== undefined && { spotUrl }),
        ...(futuresUrl !== undefined && { futuresUrl }),
      },
      capabilities: check.found,
    },
  };
}

class OnlineCheck {
  readonly steps: OnlineStep[] = [];
  found: FoundCapabilities = {};
  readonly #options: CheckOnlineOptions;
  readonly #dead = new Set<HostName>();

  constructor(options: CheckOnlineOptions) {
    this.#options = options;
  }

  /** Makes one check. An error of the venue is its result. */
  async #step(
    name: string,
    host: HostName,
    look: (signal: AbortSignal) => Promise<string>,
  ): Promise<boolean> {
    if (this.#dead.has(host)) {
      this.steps.push({ name, status: 'skipped', text: 'the venue does not answer' });
      return false;
    }
    const { machine, signal, patienceMs = PATIENCE_MS } = this.#options;
    const over = new AbortController();
    const cancel = machine.after(patienceMs, () => {
      over.abort(new TimedOut(patienceMs));
    });
    try {
      const text = await look(AbortSignal.any([signal, over.signal]));
      this.steps.push({ name, status: 'ok', text });
      return true;
    } catch (error: unknown) {
      signal.throwIfAborted();
      if (!(error instanceof TradingError) && !(error instanceof Refused)) throw error;
      const code = error instanceof TradingError ? ` (${error.code})` : '';
      this.steps.push({ name, status: 'failed', text: `${error.message}${code}` });
      return false;
    } finally {
      cancel();
    }
  }

  async host(host: HostName): Promise<void> {
    const { client } = this.#options.connection;
    const { maxClockOffsetMs } = this.#options.config.live;
    const { machine } = this.#options;
    const answers = await this.#step(`ping ${host}`, host, async (signal) => {
      const before = machine.now();
      const endpoint = host === 'spot' ? ENDPOINTS['spot.ping'] : ENDPOINTS['futures.ping'];
      await client.call(endpoint, {}, { signal });
      return `answers within ${String(Math.max(1, Math.round(machine.now() - before)))} ms`;
    });
    if (!answers) this.#dead.add(host);
    await this.#step(`clock ${host}`, host, async (signal) => {
      const { offsetMs, uncertaintyMs } = await client.measureClock(host, signal);
      const text = `${String(Math.round(offsetMs))} ms from this machine's, give or take ${String(Math.ceil(uncertaintyMs))} ms`;
      if (Math.abs(offsetMs) > maxClockOffsetMs)
        throw new Refused(`${text}; live.maxClockOffsetMs allows ${String(maxClockOffsetMs)} ms`);
      return text;
    });
  }

  /** One read for each product: it tests the key, its signature and its permissions. */
  async permissions(): Promise<void> {
    const { account } = this.#options.connection.venue;
    const first = this.#firstOf();
    if (first.spot !== undefined)
      await this.#step('read spot', 'spot', async (signal) => {
        await account.account('spot', { signal });
        return 'the key may read the spot account';
      });
    const { margin } = first;
    if (margin !== undefined)
      await this.#step('read margin', 'spot', async (signal) => {
        await account.openOrders(margin, { signal });
        return 'the key may read margin orders; the account itself is not shown (live.blindMargin)';
      });
    if (first.futures !== undefined)
      await this.#step('read futures', 'futures', async (signal) => {
        await account.account('futures', { signal });
        return 'the key may read the futures account';
      });
  }

  #firstOf(): Readonly<Partial<Record<'spot' | 'margin' | 'futures', InstrumentId>>> {
    const first: Partial<Record<'spot' | 'margin' | 'futures', InstrumentId>> = {};
    for (const { kind, instrumentId } of this.#options.config.instruments)
      first[kind] ??= instrumentId;
    return first;
  }

  async rules(): Promise<void> {
    const { config, terms, connection } = this.#options;
    for (const host of hostsOf(config)) {
      const own = config.instruments.filter(
        ({ kind }) => (kind === 'futures') === (host === 'futures'),
      );
      await this.#step(`rules ${host}`, host, async (signal) => {
        const source = connection.venue.market;
        const now = connection.time.now();
        const differences = await findRuleDifferences({ ...config, instruments: own }, terms, {
          source,
          now,
          signal,
        });
        if (differences.length > 0) throw new Refused(differences.join('; '));
        return `the same as in backtests, for ${String(own.length)} ${nounOf(own.length, 'instrument')}`;
      });
    }
  }

  /**
   * Tests the smallest order that the rules allow, a tenth below the last price: the venue answers whether it would accept the order, but does not place
   * it.
   */
  async testOrders(): Promise<void> {
    const { config, terms, connection } = this.#options;
    for (const { kind, instrumentId, symbol } of config.instruments) {
      if (kind !== 'spot') continue;
      await this.#step(`test order ${symbol}`, 'spot', async (signal) => {
        const { last } = await connection.venue.market.ticker(instrumentId, { signal });
        const rules = present(
          terms.rules.at(instrumentId, connection.time.now()),
          `rules of ${symbol}`,
        );
        const price = floorToStep((last * 9n) / 10n, rules.tick);
        const quantity = ceilToStep(smallestQuantity(price, rules), rules.step);
        const request = {
          symbol,
          side: 'BUY',
          type: 'LIMIT',
          volume: formatFixed(quantity),
          price: formatFixed(price),
        } as const;
        const reply = await connection.client.ask(ENDPOINTS['spot.orderTest'], request, { signal });
        const isThere = reply.kind === 'answer' || !NO_SUCH_CALL.includes(reply.code);
        this.found = { ...this.found, testOrders: isThere };
        const order = `${request.volume} at ${request.price}`;
        if (reply.kind === 'refused') throw new Refused(`${order}: ${reply.text}`);
        return `${order} would be accepted`;
      });
    }
  }

  /** A start time that is not honored is no failure, but a property of the venue. */
  async startOfKlines(): Promise<void> {
    const { config, connection } = this.#options;
    const hosts = hostsOf(config);
    const results: boolean[] = [];
    for (const host of hosts) {
      const instrument = config.instruments.find(
        ({ kind }) => (kind === 'futures') === (host === 'futures'),
      );
      if (instrument === undefined) continue;
      await this.#step(`klines ${host}`, host, async (signal) => {
        const [interval] = VENUE_INTERVALS;
        // With an end time too, as a bot requests a page.
        const startTime = connection.time.now() - FAR_BACK * MINUTE_MS;
        const endTime = startTime + FEW * MINUTE_MS - 1;
        const request = { interval, limit: FEW, startTime, endTime } as const;
        const { symbol } = instrument;
        const reply =
          host === 'spot'
            ? await connection.client.ask(
                ENDPOINTS['spot.klines'],
                { symbol, ...request },
                { signal },
              )
            : await connection.client.ask(
                ENDPOINTS['futures.klines'],
                { contractName: symbol, ...request },
                { signal },
              );
        const times = reply.kind === 'answer' ? reply.answer.map(({ idx }) => idx) : [];
        const isHonored =
          times.length > 0 && times.every((time) => time >= startTime && time <= endTime);
        results.push(isHonored);
        return isHonored
          ? 'the start time is honored: more than the newest 300 candles can be read'
          : 'the start time is ignored: only the newest 300 candles can be read';
      });
    }
    // One host that does not honor the start is enough. If a host gave no answer, the property stays unknown.
    const isNot = results.includes(false);
    if (isNot || results.length === hosts.length)
      this.found = { ...this.found, klinesHaveStartTime: !isNot };
  }

  async triggers(): Promise<void> {
    const { connection } = this.#options;
    // If the key may not read, a refusal does not show whether the call exists.
    if (!this.steps.some(({ name, status }) => name === 'read futures' && status === 'ok')) return;
    const contract = this.#options.config.instruments.find(({ kind }) => kind === 'futures');
    if (contract === undefined) return;
    const { symbol: contractName } = contract;
    await this.#step('trigger list', 'futures', async (signal) => {
      const request = { contractName };
      const canList = await isThere(() =>
        connection.client.ask(FAMILY_ENDPOINTS['futures.triggers'], request, { signal }),
      );
      this.found = { ...this.found, conditionalOrderList: canList };
      return canList ? 'triggers can be listed' : 'triggers cannot be listed';
    });
    await this.#step('trigger cancel', 'futures', async (signal) => {
      const request = { contractName, orderId: NO_TRIGGER };
      const canCancel = await isThere(() =>
        connection.client.ask(FAMILY_ENDPOINTS['futures.cancelTrigger'], request, { signal }),
      );
      this.found = { ...this.found, conditionalOrderCancel: canCancel };
      return canCancel ? 'triggers can be canceled' : 'triggers cannot be canceled';
    });
  }

  limits(): void {
    const used = this.#options.connection.budgets();
    const refused = used.filter(({ restsUntil }) => restsUntil !== undefined);
    const names = refused.map(({ name }) => name).join(', ');
    this.steps.push(
      refused.length > 0
        ? {
            name: 'limits',
            status: 'failed',
            text: `the venue refused calls of ${names}: another program uses this key or address`,
          }
        : {
            name: 'limits',
            status: 'ok',
            text: `no call was refused, of ${String(used.length)} limits`,
          },
    );
  }
}

/** Whether a call exists: the answer is a result, or a refusal of its content. For a path that does not exist, some venues answer that the key is missing. */
async function isThere(
  ask: () => Promise<
    { readonly kind: 'answer' } | { readonly kind: 'refused'; readonly code: string }
  >,
): Promise<boolean> {
  try {
    const reply = await ask();
    return reply.kind === 'answer' || !NO_SUCH_CALL.includes(reply.code);
  } catch (error: unknown) {
    if (error instanceof AuthError) return false;
    throw error;
  }
}

/** A check found something wrong. */
class Refused extends Error {}

/** A check took too long. */
class TimedOut extends Refused {
  constructor(patienceMs: number) {
    super(`no answer within ${String(patienceMs / SECOND_MS)} s`);
  }
}

function hostsOf({ instruments }: Pick<SessionConfig, 'instruments'>): readonly HostName[] {
  const hosts = new Set(
    instruments.map(({ kind }): HostName => (kind === 'futures' ? 'futures' : 'spot')),
  );
  return [...hosts];
}
