import {
  DomainError,
  parseInstrumentId,
  present,
  type Clock,
  type EpochMs,
  type InstrumentId,
} from '../domain/index.js';
import type { LatencyModel } from '../simulator/index.js';
import {
  formatJson,
  parseRequest,
  type AnswerProfile,
  type AnyEndpoint,
} from '../venue/wire/index.js';
import type { AccountBook, AccountHolder } from './accounts/account-book.js';
import type { AccountSettings } from './accounts/account-settings.js';
import type { MarketTime } from './clock/market-time.js';
import { ShownClocks } from './clock/shown-clocks.js';
import type { CommandEffects } from './exchange-account.js';
import type { ExchangeMarket } from './exchange-market.js';
import type { FaultPlan } from './faults/fault-plan.js';
import type { FaultRule } from './faults/fault-rule.js';
import {
  changeOf,
  changesTo,
  isRuleFault,
  ruleFaultsAmong,
  type RuleFault,
} from './faults/listing-changes.js';
import { answerPublic, answerSigned } from './handlers/answer-call.js';
import { isWritten, type PublicCall } from './handlers/handler.js';
import { inForm, type ListForm } from './handlers/list-form.js';
import { authenticate } from './http/authenticate.js';
import type { CallLimits } from './http/call-limits.js';
import type { IncomingCall } from './http/incoming-call.js';
import { readFields, readWindow } from './http/read-fields.js';
import { writeRefusal, type WireAnswer } from './http/wire-answer.js';
import type { ListingRules, RulePatch } from './market/listing-rules.js';
import { isRefusal, refuse, type ExchangeRefusal } from './refusal.js';
import type { ExchangeJournal, ExchangeJournalEntry } from './state/journal-entry.js';
import { TravelingCommands } from './traveling-commands.js';

export interface LocalExchangeParts {
  readonly market: ExchangeMarket;
  readonly rules: ListingRules;
  readonly marketTime: MarketTime;
  /** From this time on, some instrument has no candles: it stands still at its last close. */
  readonly marketEnd: EpochMs;
  /** The clock of requests: limits, windows of timestamps, durations of faults. */
  readonly transport: Clock;
  readonly accounts: AccountBook;
  readonly profile: AnswerProfile;
  /** Whether lists of spot and margin are bare, or in an object `{"list": […]}`. @defaultValue 'bare' */
  readonly lists?: ListForm | undefined;
  /** Undefined means no limits for calls. */
  readonly limits: CallLimits | undefined;
  readonly faults: FaultPlan;
  /** Undefined means that nothing survives the end of the process. */
  readonly journal: ExchangeJournal | undefined;
  /** How long commands travel, in market time; lockstep only. @defaultValue commands arrive at once */
  readonly latency?: LatencyModel | undefined;
  /** Which clock the time endpoints show. @defaultValue 'market' */
  readonly shownClock?: 'market' | 'transport' | undefined;
}

/** Times of the next possible events, in market time; Infinity if there is none. */
interface NextInstants {
  /** The earliest of the others. If the candles of the current instant have not opened, the current instant. */
  readonly time: EpochMs;
  /** A candle of any instrument closes. */
  readonly candle: EpochMs;
  /** A candle opens or closes, an order fills, a trigger fires, a position is liquidated, funding or interest is due. */
  readonly venue: EpochMs;
  /** A command arrives. */
  readonly arrival: EpochMs;
  /** A poll on the grid of DESIGN R2 has something to report that no answer reported. */
  readonly poll: EpochMs;
}

/** Counters of an exchange since it started. */
interface ExchangeCounters {
  readonly requests: number;
  readonly refused: number;
  readonly limited: number;
  readonly commands: number;
}

type Outcome = WireAnswer | ExchangeRefusal;

type CommandEntry = Extract<ExchangeJournalEntry, { readonly kind: 'command' }>;

/**
 * The exchange behind its HTTP surface: takes a call of the endpoint table, byte for byte, and returns the bytes of the answer.
 *
 * A command is in the journal before it happens, and has happened before its answer leaves.
 */
export class LocalExchange {
  readonly parts: LocalExchangeParts;
  #requests = 0;
  #refused = 0;
  #limited = 0;
  #commands = 0;
  readonly #traveling = new TravelingCommands();
  readonly #clocks: ShownClocks;

  /** Restores the state from the journal. */
  constructor(parts: LocalExchangeParts) {
    this.parts = parts;
    this.#clocks = new ShownClocks(parts);
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

  /**
   * Answers one call of an endpoint: at once or, if commands travel, when the command has arrived. Never throws for anything that a client can send.
   */
  answer(
    endpoint: AnyEndpoint,
    call: IncomingCall,
    effects: CommandEffects = {},
  ): WireAnswer | Promise<WireAnswer> {
    this.#requests += 1;
    const outcome =
      endpoint.access === 'public'
        ? this.#answerPublic(endpoint, call)
        : this.#answerSigned(endpoint, call, effects);
    return outcome instanceof Promise
      ? outcome.then((arrived) => this.#finish(arrived))
      : this.#finish(outcome);
  }

  #finish(result: Outcome): WireAnswer {
    if ('status' in result) return result;
    this.#refused += 1;
    return writeRefusal(result, this.parts.profile);
  }

  #answerPublic(endpoint: AnyEndpoint, call: IncomingCall): Outcome {
    // A public call with a known key counts for the key, any other for the address.
    const key = call.header('x-ch-apikey');
    const holder = key === undefined ? undefined : this.parts.accounts.byKey(key);
    const limited = this.#charge(endpoint, holder?.principal ?? `address ${call.address}`);
    if (limited !== undefined) return limited;
    const sent = readFields(call);
    if (isRefusal(sent)) return sent;
    const outcome = parseRequest(endpoint, sent.fields);
    if (outcome.kind === 'invalid') return refuse(outcome.problem.code, outcome.problem.message);
    const answer = answerPublic(endpoint, outcome.request, this.#publicCall(endpoint, holder));
    return written(inForm(answer, endpoint, this.parts.lists));
  }

  #answerSigned(
    endpoint: AnyEndpoint,
    call: IncomingCall,
    effects: CommandEffects,
  ): Outcome | Promise<Outcome> {
    const sent = readFields(call);
    const known = isRefusal(sent) ? sent : this.#authenticate(call, sent.fields);
    // A call with unknown credentials counts for the address, so that guessing is limited too.
    const principal = isRefusal(known) ? `address ${call.address}` : known.holder.principal;
    const limited = this.#charge(endpoint, principal);
    if (limited !== undefined) return limited;
    if (isRefusal(sent)) return sent;
    if (isRefusal(known)) return known;
    const outcome = parseRequest(endpoint, sent.fields, this.parts.profile);
    if (outcome.kind === 'invalid') return refuse(outcome.problem.code, outcome.problem.message);
    const { request } = outcome;
    const { holder } = known;
    if (!arrives(endpoint)) return this.#act(endpoint, request, { holder, effects });
    const { latency, marketTime } = this.parts;
    const act = (): Outcome => {
      marketTime.open();
      return this.#act(endpoint, request, { holder, effects });
    };
    const travelMs = latency?.delayMs(/cancel/i.test(endpoint.id) ? 'cancel' : 'submit') ?? 0;
    if (travelMs > 0) return this.#traveling.send(marketTime.now() + travelMs, act);
    // Commands that were sent before and also arrive at this instant come first.
    this.#arriveUntil(marketTime.now());
    return act();
  }

  /** Carries out a signed call. A call that changes something is written to the journal before. */
  #act(
    endpoint: AnyEndpoint,
    request: unknown,
    { holder, effects }: { readonly holder: AccountHolder; readonly effects: CommandEffects },
  ): Outcome {
    const { account, settings } = holder;
    const call = { ...this.#publicCall(endpoint, holder), account, effects };
    if (!endpoint.idempotent) {
      const { time } = call;
      const { userId } = settings;
      this.#record({
        time,
        userId,
        endpoint: endpoint.id as CommandEntry['endpoint'],
        request,
        effects,
      });
    }
    return written(inForm(answerSigned(endpoint, request, call), endpoint, this.parts.lists));
  }

  #authenticate(
    call: IncomingCall,
    fields: unknown,
  ): { readonly kind: 'known'; readonly holder: AccountHolder } | ExchangeRefusal {
    const recvWindow = readWindow(fields);
    if (isRefusal(recvWindow)) return recvWindow;
    return authenticate(call, {
      holderOf: (key) => {
        const holder = this.parts.accounts.byKey(key);
        return holder && { holder, secret: holder.secret };
      },
      clocks: this.#clocks.published(),
      recvWindow,
    });
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

  #publicCall({ id }: AnyEndpoint, asking: AccountHolder | undefined): PublicCall {
    const { market, marketTime, profile } = this.parts;
    const time = marketTime.now();
    const serverTime = id.endsWith('.time') ? this.#clocks.shown(time) : time;
    return { market, time, serverTime, profile, volumeLeft: this.#volumeLeft(time, asking) };
  }

  #volumeLeft(time: EpochMs, asking: AccountHolder | undefined): PublicCall['volumeLeft'] {
    return (instrumentId) => this.parts.accounts.volumeLeft(instrumentId, time, asking);
  }

  #record(command: Omit<CommandEntry, 'kind'>): void {
    this.#commands += 1;
    this.parts.journal?.append({ kind: 'command', ...command });
  }

  // Used by the control API.

  /**
   * Moves market time, in lockstep. A later instant is reached in its first half: candles that end there have closed, candles that open there have
   * not opened. A call with the current instant opens it, and commands that arrive there are carried out. Everything in between happens in full.
   *
   * @throws {DomainError} `E_LOCKSTEP`.
   */
  advanceTo(time: EpochMs): void {
    const { marketTime, journal } = this.parts;
    marketTime.check(time);
    if (time === marketTime.now()) {
      if (marketTime.open()) journal?.append({ kind: 'opening', time });
      this.#arriveUntil(time);
    } else {
      this.#arriveUntil(time - 1);
      this.#moveTo(time);
    }
  }

  #moveTo(time: EpochMs): void {
    const { marketTime, journal } = this.parts;
    const before = marketTime.now();
    marketTime.advanceTo(time);
    if (time > before) journal?.append({ kind: 'advance', time });
  }

  /** Carries out the commands that arrive by an instant, each at its own instant. */
  #arriveUntil(time: EpochMs): void {
    for (let next = this.#traveling.nextArrival; next <= time; next = this.#traveling.nextArrival) {
      this.#moveTo(next);
      this.#traveling.arriveUntil(next);
    }
  }

  /** Number of commands that were sent and have not arrived. */
  get traveling(): number {
    return this.#traveling.count;
  }

  /** The next possible events, in lockstep. Undefined in the other modes, where time does not wait for events. */
  next(): NextInstants | undefined {
    const { marketTime, market, accounts } = this.parts;
    if (marketTime.mode !== 'lockstep') return undefined;
    const now = marketTime.now();
    const own = accounts.list().map(({ account }) => account);
    const candle = market.nextClose(now);
    const venue = Math.min(...own.map((account) => account.nextTime(now)));
    const arrival = this.#traveling.nextArrival;
    const poll = Math.min(...own.map((account) => account.nextPoll(now)));
    const time = marketTime.hasOpened(now) ? Math.min(candle, venue, arrival, poll) : now;
    return { time, candle, venue, arrival, poll };
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
   * Adds a fault and returns its id.
   *
   * @throws {DomainError} `E_FAULT` when it names an instrument that is not listed, or would make impossible rules.
   */
  addFault(rule: FaultRule): number {
    const { faults, transport } = this.parts;
    if (isRuleFault(rule)) this.#breakRules(rule);
    const id = faults.add(rule, transport.now());
    if (isRuleFault(rule)) faults.fire(id);
    return id;
  }

  /** Removes a fault, or all of them, and restores from now on the rules that no other fault changes. Returns how many were removed. */
  removeFault(id?: number): number {
    const { faults } = this.parts;
    const before = ruleFaultsAmong(faults.list());
    const removed = faults.remove(id);
    const left = ruleFaultsAmong(faults.list());
    for (const { instrument } of before.filter((fault) => !left.includes(fault)))
      this.#changeRules(parseInstrumentId(instrument), changesTo(instrument, left), 'restore');
    return removed;
  }

  #breakRules(rule: RuleFault): void {
    const instrumentId = parseInstrumentId(rule.instrument);
    if (this.parts.rules.original(instrumentId, this.parts.marketTime.now()) === undefined) {
      throw new DomainError('E_FAULT', `${instrumentId} is not listed`);
    }
    this.#changeRules(instrumentId, changeOf(rule));
  }

  #changeRules(id: InstrumentId, change: RulePatch, how: 'change' | 'restore' = 'change'): void {
    const { journal, marketTime, rules } = this.parts;
    const time = marketTime.now();
    const isRestored = how === 'restore' && ({ isRestored: true } as const);
    journal?.append({ kind: 'rules', time, instrumentId: id, change, ...isRestored });
    rules[how](id, time, change);
  }

  #happen(entry: ExchangeJournalEntry): void {
    const { accounts, market, profile, rules, marketTime } = this.parts;
    marketTime.resumeAt(entry.time);
    switch (entry.kind) {
      case 'account':
        accounts.open(entry.settings, entry.time);
        return;
      case 'rules': {
        const how = entry.isRestored ? 'restore' : 'change';
        rules[how](entry.instrumentId, entry.time, entry.change);
        return;
      }
      case 'advance':
        return;
      case 'opening':
        marketTime.open();
        return;
      case 'command': {
        const { time, effects, request, userId } = entry;
        marketTime.open();
        const holder = present(accounts.byUser(userId), `the account ${userId}`);
        const { account } = holder;
        const volumeLeft = this.#volumeLeft(time, holder);
        const call = { market, time, serverTime: time, profile, volumeLeft, account, effects };
        answerSigned({ id: entry.endpoint }, request, call);
      }
    }
  }
}

function written(result: ReturnType<typeof answerPublic>): Outcome {
  if (isRefusal(result)) return result;
  return { status: 200, body: isWritten(result) ? result.json : formatJson(result) };
}

/** Whether a call acts on the market. It then comes after the candles of its instant have opened. */
function arrives({ idempotent, id }: AnyEndpoint): boolean {
  return !idempotent || id === 'spot.orderTest';
}
