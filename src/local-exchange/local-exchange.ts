import {
  DomainError,
  parseInstrumentId,
  present,
  type Clock,
  type EpochMs,
  type InstrumentId,
} from '../domain/index.js';
import {
  formatJson,
  parseJson,
  parseRequest,
  type AnswerProfile,
  type AnyEndpoint,
  type EndpointId,
} from '../venue/wire/index.js';
import type { AccountBook, AccountHolder } from './accounts/account-book.js';
import type { AccountSettings } from './accounts/account-settings.js';
import type { MarketTime } from './clock/market-time.js';
import type { CommandEffects } from './exchange-account.js';
import type { ExchangeMarket } from './exchange-market.js';
import type { FaultPlan } from './faults/fault-plan.js';
import type { FaultRule } from './faults/fault-rule.js';
import { answerPublic, answerSigned } from './handlers/answer-call.js';
import type { PublicCall } from './handlers/handler.js';
import { authenticate, DEFAULT_WINDOW_MS, MAX_WINDOW_MS } from './http/authenticate.js';
import type { CallLimits } from './http/call-limits.js';
import { splitTarget, type IncomingCall } from './http/incoming-call.js';
import { writeRefusal, type WireAnswer } from './http/wire-answer.js';
import type { ListingRules, RuleChange } from './market/listing-rules.js';
import { isRefusal, refuse, type Refusal } from './refusal.js';
import type { ExchangeJournal, JournalEntry } from './state/journal-entry.js';

export interface LocalExchangeParts {
  readonly market: ExchangeMarket;
  readonly rules: ListingRules;
  readonly marketTime: MarketTime;
  /** From here on there are no candles of some instrument: it stands still at its last close. */
  readonly marketEnd: EpochMs;
  /** The clock of requests: limits, windows of timestamps, durations of faults. */
  readonly transport: Clock;
  readonly accounts: AccountBook;
  readonly profile: AnswerProfile;
  /** Undefined: calls are not limited. */
  readonly limits: CallLimits | undefined;
  readonly faults: FaultPlan;
  /** Undefined: nothing survives the end of the process. */
  readonly journal: ExchangeJournal | undefined;
}

/** Counters of an exchange since it started. */
export interface ExchangeCounters {
  readonly requests: number;
  readonly refused: number;
  readonly limited: number;
  readonly commands: number;
}

type Sent = { readonly kind: 'sent'; readonly fields: unknown } | Refusal;

/**
 * The exchange behind its HTTP surface: takes a call of the endpoint table, byte for byte, and gives the answer's bytes.
 *
 * A command is in the journal before it happens, and has happened before its answer leaves.
 */
export class LocalExchange {
  readonly parts: LocalExchangeParts;
  #requests = 0;
  #refused = 0;
  #limited = 0;
  #commands = 0;

  /** Brings back what the journal holds. */
  constructor(parts: LocalExchangeParts) {
    this.parts = parts;
    for (const entry of parts.journal?.entries() ?? []) this.#happen(entry);
  }

  get counters(): ExchangeCounters {
    return {
      requests: this.#requests,
      refused: this.#refused,
      limited: this.#limited,
      commands: this.#commands,
    };
  }

  /** Answers one call of an endpoint. Never throws for anything a client can send. */
  answer(endpoint: AnyEndpoint, call: IncomingCall, effects: CommandEffects = {}): WireAnswer {
    this.#requests += 1;
    const result =
      endpoint.access === 'public'
        ? this.#answerPublic(endpoint, call)
        : this.#answerSigned(endpoint, call, effects);
    if ('status' in result) return result;
    this.#refused += 1;
    return writeRefusal(result, this.parts.profile);
  }

  #answerPublic(endpoint: AnyEndpoint, call: IncomingCall): WireAnswer | Refusal {
    // A public call with a key that is known counts for the key, any other for the address.
    const key = call.header('x-ch-apikey');
    const holder = key === undefined ? undefined : this.parts.accounts.byKey(key);
    const limited = this.#charge(endpoint, holder?.principal ?? `address ${call.address}`);
    if (limited !== undefined) return limited;
    const sent = readFields(call);
    if (isRefusal(sent)) return sent;
    const outcome = parseRequest(endpoint, sent.fields);
    if (outcome.kind === 'invalid') return refuse(outcome.problem.code, outcome.problem.message);
    return written(answerPublic(endpoint, outcome.request, this.#publicCall(endpoint)));
  }

  #answerSigned(
    endpoint: AnyEndpoint,
    call: IncomingCall,
    effects: CommandEffects,
  ): WireAnswer | Refusal {
    const sent = readFields(call);
    const known = isRefusal(sent) ? sent : this.#authenticate(call, sent.fields);
    // Who is not known is counted by address: guessing has its limit too.
    const principal = isRefusal(known) ? `address ${call.address}` : known.holder.principal;
    const limited = this.#charge(endpoint, principal);
    if (limited !== undefined) return limited;
    if (isRefusal(sent)) return sent;
    if (isRefusal(known)) return known;
    const outcome = parseRequest(endpoint, sent.fields);
    if (outcome.kind === 'invalid') return refuse(outcome.problem.code, outcome.problem.message);
    const { account, settings } = known.holder;
    const own = { ...this.#publicCall(endpoint), account, effects };
    if (!endpoint.idempotent) {
      const { time } = own;
      const { userId } = settings;
      this.#record({
        time,
        userId,
        endpoint: endpoint.id as EndpointId,
        request: outcome.request,
        effects,
      });
    }
    return written(answerSigned(endpoint, outcome.request, own));
  }

  #authenticate(
    call: IncomingCall,
    fields: unknown,
  ): { readonly kind: 'known'; readonly holder: AccountHolder } | Refusal {
    const recvWindow = readWindow(fields);
    if (isRefusal(recvWindow)) return recvWindow;
    return authenticate(call, {
      holderOf: (key) => {
        const holder = this.parts.accounts.byKey(key);
        return holder && { holder, secret: holder.secret };
      },
      clocks: this.#clocks(),
      recvWindow,
    });
  }

  /** Clocks a client may go by: the exchange's published one and, where market time goes another way, the transport's. */
  #clocks(): readonly { readonly from: EpochMs; readonly to: EpochMs }[] {
    const { marketTime, transport } = this.parts;
    const published = this.#serverTime(marketTime.now());
    const first = { from: published, to: published + marketTime.idleMs() };
    if (marketTime.mode === 'realtime') return [first];
    const now = this.#serverTime(transport.now());
    return [first, { from: now, to: now }];
  }

  #charge(endpoint: AnyEndpoint, principal: string): WireAnswer | undefined {
    const { limits, transport, profile } = this.parts;
    const verdict = limits?.charge(transport.now(), principal, endpoint);
    if (verdict === undefined || verdict.kind === 'served') return undefined;
    this.#limited += 1;
    const { retryAfterMs } = verdict;
    const refusal = refuse('-1003', 'too many requests');
    return writeRefusal(refusal, profile, {
      status: verdict.kind === 'banned' ? 418 : 429,
      retryAfterMs,
    });
  }

  #publicCall(endpoint: AnyEndpoint): PublicCall {
    const { market, marketTime, profile } = this.parts;
    const time = marketTime.now();
    const isClock = endpoint.id.endsWith('.time');
    return { market, time, serverTime: isClock ? this.#serverTime(time) : time, profile };
  }

  /** A clock as it is shown: right, unless a fault sets it wrong. */
  #serverTime(time: EpochMs): EpochMs {
    const { faults, transport } = this.parts;
    if (faults.isEmpty) return time;
    const now = transport.now();
    let shown = time;
    for (const { id, rule } of faults.lasting('clock-skew', now)) {
      shown += rule.offsetMs;
      faults.fire(id);
    }
    for (const { id, rule, since } of faults.lasting('clock-drift', now)) {
      shown += Math.round(((now - since) * rule.ppm) / 1_000_000);
      faults.fire(id);
    }
    return shown;
  }

  #record(command: Omit<Extract<JournalEntry, { kind: 'command' }>, 'kind'>): void {
    this.#commands += 1;
    this.parts.journal?.append({ kind: 'command', ...command });
  }

  // What the control API does.

  /** Moves market time, in lockstep. @throws {DomainError} `E_LOCKSTEP`. */
  advanceTo(time: EpochMs): void {
    const { marketTime, journal } = this.parts;
    const before = marketTime.now();
    marketTime.advanceTo(time);
    if (time > before) journal?.append({ kind: 'advance', time });
  }

  /** Opens an account. @throws {DomainError} `E_ACCOUNT` when key or user id is taken. */
  openAccount(settings: AccountSettings): AccountHolder {
    const { accounts, journal, marketTime } = this.parts;
    accounts.check(settings);
    const time = marketTime.now();
    journal?.append({ kind: 'account', time, settings });
    return accounts.open(settings, time);
  }

  /**
   * Puts a fault in force and returns its id.
   *
   * @throws {DomainError} `E_FAULT` when it names an instrument that is not listed, or would make impossible rules.
   */
  addFault(rule: FaultRule): number {
    const { faults, transport } = this.parts;
    if (rule.fault === 'untradable' || rule.fault === 'precision') this.#breakRules(rule);
    const id = faults.add(rule, transport.now());
    if (rule.fault === 'untradable' || rule.fault === 'precision') faults.fire(id);
    return id;
  }

  /** Takes a fault out, or all of them; rules it had changed are as before from now on. Returns how many there were. */
  removeFault(id?: number): number {
    const { faults, marketTime, rules } = this.parts;
    const now = marketTime.now();
    for (const { id: listed, rule } of faults.list()) {
      if (id !== undefined && id !== listed) continue;
      if (rule.fault !== 'untradable' && rule.fault !== 'precision') continue;
      const instrumentId = parseInstrumentId(rule.instrument);
      const first = present(rules.original(instrumentId, now), `rules of ${instrumentId}`);
      const { tradable, pricePrecision, quantityPrecision } = first;
      this.#changeRules(
        instrumentId,
        rule.fault === 'untradable' ? { tradable } : { pricePrecision, quantityPrecision },
      );
    }
    return faults.remove(id);
  }

  #breakRules(rule: Extract<FaultRule, { fault: 'untradable' | 'precision' }>): void {
    const instrumentId = parseInstrumentId(rule.instrument);
    if (this.parts.rules.original(instrumentId, this.parts.marketTime.now()) === undefined) {
      throw new DomainError('E_FAULT', `expected a listed instrument, received ${instrumentId}`);
    }
    const change: RuleChange =
      rule.fault === 'untradable'
        ? { tradable: false }
        : {
            ...(rule.pricePrecision === undefined ? {} : { pricePrecision: rule.pricePrecision }),
            ...(rule.quantityPrecision === undefined
              ? {}
              : { quantityPrecision: rule.quantityPrecision }),
          };
    this.#changeRules(instrumentId, change);
  }

  #changeRules(instrumentId: InstrumentId, change: RuleChange): void {
    const { journal, marketTime, rules } = this.parts;
    const time = marketTime.now();
    journal?.append({ kind: 'rules', time, instrumentId, change });
    rules.change(instrumentId, time, change);
  }

  #happen(entry: JournalEntry): void {
    const { accounts, market, profile, rules, marketTime } = this.parts;
    marketTime.resumeAt(entry.time);
    switch (entry.kind) {
      case 'account':
        accounts.open(entry.settings, entry.time);
        return;
      case 'rules':
        rules.change(entry.instrumentId, entry.time, entry.change);
        return;
      case 'advance':
        return;
      case 'command': {
        const { time, effects, request, userId } = entry;
        const { account } = present(accounts.byUser(userId), `the account ${userId}`);
        const call = { market, time, serverTime: time, profile, account, effects };
        answerSigned({ id: entry.endpoint }, request, call);
      }
    }
  }
}

function written(result: ReturnType<typeof answerPublic>): WireAnswer | Refusal {
  return isRefusal(result) ? result : { status: 200, body: formatJson(result) };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Parameters of a call: the query of a GET, the JSON object of a POST. A body that is empty is one without fields. */
function readFields({ method, target, header, body }: IncomingCall): Sent {
  if (method === 'GET') {
    const fields = Object.fromEntries(new URLSearchParams(splitTarget(target).query));
    return { kind: 'sent', fields };
  }
  if (!/^application\/json\b/i.test(header('content-type') ?? '')) {
    return refuse('-1017', 'expected the header Content-Type: application/json');
  }
  if (body.length === 0) return { kind: 'sent', fields: {} };
  try {
    return { kind: 'sent', fields: parseJson(UTF8.decode(body)) };
  } catch {
    return refuse('-1102', 'expected a JSON object in UTF-8 as the body');
  }
}

/** `recvWindow` may stand anywhere in a body, whatever the endpoint; some clients spell it in lower case. */
function readWindow(fields: unknown): number | Refusal {
  if (typeof fields !== 'object' || fields === null) return DEFAULT_WINDOW_MS;
  const written: unknown = Object.hasOwn(fields, 'recvWindow')
    ? Reflect.get(fields, 'recvWindow')
    : Object.hasOwn(fields, 'recvwindow')
      ? Reflect.get(fields, 'recvwindow')
      : undefined;
  if (written === undefined || written === null || written === '') return DEFAULT_WINDOW_MS;
  const windowMs =
    typeof written === 'string' && /^\d{1,9}$/.test(written) ? Number(written) : written;
  if (typeof windowMs !== 'number' || !Number.isSafeInteger(windowMs) || windowMs < 1) {
    return refuse('-1102', 'parameter recvWindow: expected whole milliseconds > 0');
  }
  return Math.min(windowMs, MAX_WINDOW_MS);
}
