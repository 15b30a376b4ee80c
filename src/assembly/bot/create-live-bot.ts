import type { SessionConfig } from '../../config/index.js';
import { ConfigError, type EpochMs, type InstrumentId } from '../../domain/index.js';
import { latestOf } from '../../engine/index.js';
import { FillBook } from '../../feed/index.js';
import {
  adoptable,
  believe,
  compareHoldings,
  compareVenue,
  describeDisagreement,
  readAccounts,
  settleStart,
  type ClaimedState,
  type BelievedBalance,
  type CompareVenueOptions,
  lastTradeBefore,
  lookAgain,
  type LiveBot,
  patiently,
  venueSession,
  type MarketSessionOptions,
  type VenueSessionOptions,
} from '../../live/index.js';
import { hashConfig } from '../identity/hash-inputs.js';
import { leastSampleMs, listStopGrids } from '../replay/stop-grids.js';
import { beginEngine, KEPT_RECORDS, type Begun, type BotParts } from './begin-engine.js';
import type { BotInputs } from './bot-inputs.js';
import { watchExecution } from './boundaries.js';
import { goneExecution } from './connection/gone-execution.js';
import { leasedExecution } from './connection/leased-execution.js';
import { createFeeEstimate } from './estimate-fee.js';
import { toldFills } from './journal/told-fills.js';
import { onAbort } from './on-abort.js';
import { withGuard } from './position-guard.js';
import { prepareBot } from './prepare-bot.js';
import { refuseOverclaims } from './spot-claims.js';
import { confirmTerms } from './terms/confirm-terms.js';
import { confirmTriggers } from './terms/confirm-triggers.js';
import { createForcedTerms } from './terms/forced-terms.js';
import { verifyTerms, type TermsReader } from './terms/verify-terms.js';
import { marketOptions, wireBot } from './wire-bot.js';
import { withAllocation } from './with-allocation.js';

/** The inputs of a bot that trades at a venue. */
interface LiveBotInputs extends BotInputs {
  /** Whether a new bot may use a smallest round trip to find out terms of its contracts that the venue does not show. @defaultValue false */
  readonly probes?: boolean | undefined;
}

/** How long after its timestamp the venue accepts a request by default. */
const RECV_WINDOW_MS = 5_000;
const UNWATCHED =
  'only this process watches the stops: if it dies, nothing watches them (live.guard: off)';
const WATCHED =
  'this process watches the stops; if it dies, its guard process watches them (live.guard: on)';
const BLIND =
  'the venue shows no balance, debt or interest of margin accounts (live.blindMargin: true): holdings and debt are counted from the executions of this bot, interest is estimated at simulation.margin.hourlyRate, and only orders and executions are compared with the venue';
/** Number of times that a start claims at most: orders, then positions and balances. */
const MOST_CLAIMS = 2;
/** Time between two comparisons of the whole state with the venue. */
const RECONCILE_MS = 60_000;

/**
 * Makes a bot that trades at a venue, from its configuration and its journal: a new bot warms up, a stopped bot continues from what it owned, and a bot
 * whose process ended is replayed and continues. It runs once it is started.
 *
 * @throws {ConfigError} when the configuration does not fit strategy or venue; as `verifyTerms` and `confirmTerms`; {JournalError} as `openJournal`,
 * `E_REPLAY_DIVERGED` when the engine does not repeat the journal; errors of the venue.
 */
export async function createLiveBot(inputs: LiveBotInputs): Promise<LiveBot> {
  const isMargin = inputs.config.instruments.some(({ kind }) => kind === 'margin');
  if (isMargin) requireBlindMargin(inputs.config);
  const own = { ...inputs, config: withAllocation(inputs.config) };
  let claimed: Claimed = { found: [], accounts: [] };
  let bot = await prepareBot(own, (parts) => assemble(own, parts, claimed));
  // The bot's stops live in the engine (DESIGN R9).
  if (inputs.guardOf === undefined) {
    const text = own.config.live.guard === 'on' ? WATCHED : UNWATCHED;
    inputs.log.warning({ time: inputs.connection.time.now(), text });
  }
  if (isMargin) inputs.log.warning({ time: inputs.connection.time.now(), text: BLIND });
  if (own.config.live.externalOrders !== 'claim') return bot;
  // Only a comparison of bot and venue shows what there is to claim: first orders, and once these agree, positions and balances.
  for (let claims = 0; claims < MOST_CLAIMS; claims += 1) {
    const running = bot;
    const unhear = onAbort(inputs.signal, () => void running.stop('keep'));
    await running.start();
    unhear();
    if (claimed.found.length === 0 || running.engine.isUncertain) return running;
    const end = await running.stop('keep');
    if (end.kind === 'failed') return running;
    const due: Claimed = { found: [], accounts: [], due: claimed };
    claimed = due;
    bot = await prepareBot(own, (parts) => assemble(own, parts, due));
  }
  return bot;
}

/**
 * Makes the guard of a dead bot's positions: the bot without its strategy, from the bot's journal, in an epoch of its own. It makes no entry. When it is
 * stopped, its epoch ends with all that it owns, and the bot continues from there.
 *
 * @throws as {@link createLiveBot}, except for changed rules.
 */
export function createPositionGuard(
  inputs: Omit<BotInputs, 'strategyClass' | 'sourceHash' | 'mode' | 'guardOf'>,
): Promise<LiveBot> {
  const { config } = inputs;
  // External orders must not keep the guard from guarding positions, so it does not claim.
  const externalOrders =
    config.live.externalOrders === 'claim' ? 'refuse' : config.live.externalOrders;
  return createLiveBot({
    ...withGuard({ ...inputs, config: { ...config, live: { ...config.live, externalOrders } } }),
    mode: 'live',
    guardOf: hashConfig(withAllocation(config)),
  });
}

/** The external orders and positions that a comparison has found for the bot to claim. */
interface Claimed {
  found: ClaimedState['found'];
  accounts: ClaimedState['accounts'];
  /** What an earlier comparison has found, to claim now. */
  readonly due?: ClaimedState;
}

/** The inputs of a session, in addition to its parts. */
interface Assembled {
  readonly begun: Begun;
  readonly claimed: Claimed;
  /** Compares leverage and modes with the venue; `isDue` until that has been done once. */
  readonly checked: { readonly verify: () => Promise<unknown>; isDue: boolean };
}

async function assemble(
  inputs: LiveBotInputs,
  parts: BotParts,
  claimed: Claimed,
): Promise<LiveBot> {
  const { config, connection, probes = false } = inputs;
  const { terms, controller, gone } = parts;
  const { signal } = controller;
  const isGone = gone.has;
  const venue = { source: connection.venue.account, signal, isGone };
  const reader = { ...venue, account: contractReader(connection, signal) };
  const isGuard = inputs.guardOf !== undefined;
  if (!isGuard) await patiently(() => confirmTriggers(config, venue), parts.patience);
  // Positions are guarded at once, on any terms: a bot with a past compares its terms later, together with the rest of the account. A guard does not compare
  // them, as it enters nothing.
  const checked = { verify: () => verifyTerms(config, reader), isDue: !isGuard };
  return wireBot(inputs, parts, async (onVerdict) => {
    const beforeNew = async (): Promise<void> => {
      const unverified = await patiently(checked.verify, parts.patience);
      checked.isDue = false;
      await confirmTerms(unverified, { ...inputs, terms, signal, probes });
    };
    const begun = await beginEngine(inputs, parts, { onVerdict, beforeNew, claim: claimed.due });
    const known = await knownTrades(begun, inputs, parts);
    const options = sessionOptions(inputs, parts, { begun, claimed, checked });
    return { begun, openSession: venueSession({ ...options, ...known }) };
  });
}

/** Any answer about the contract account since the start will do, also one that another bot on the key asked for: calls are scarce at a start. */
function contractReader(
  { time, venue }: LiveBotInputs['connection'],
  signal: AbortSignal,
): TermsReader['account'] {
  const { account, contractSamples } = venue;
  const since = time.now();
  return () =>
    contractSamples?.account.read({ since, signal }) ?? account.account('futures', { signal });
}

function sessionOptions(
  inputs: BotInputs,
  parts: BotParts,
  assembled: Assembled,
): Omit<VenueSessionOptions, 'fills' | 'lastTrades'> {
  const { terms, gone, differing } = parts;
  const { begun } = assembled;
  const { config, connection } = inputs;
  const { simulation, live } = config;
  const history = begun.history && latestOf(begun.history, KEPT_RECORDS);
  const market = marketOptions(inputs, begun);
  const { time, instruments } = market;
  return {
    ...market,
    venue: { ...connection.venue, execution: executionOf(inputs, parts, () => time.now()) },
    gone,
    differing,
    isSequential: false,
    updatePollMs: simulation.updatePollMs,
    entryLifeMs: live.staleAfterMs,
    stopGrids: listStopGrids(config, connection.stopPlan),
    contractStops: { band: live.stopBand, leastMs: leastSampleMs(config) },
    idleMs: RECONCILE_MS,
    recvWindowMs: RECV_WINDOW_MS,
    goneAt: inputs.goneForMs && time.now() - inputs.goneForMs(),
    clockBoundMs: connection.clockBoundMs(),
    // No order is signed while the two clocks are further apart than this, and one of them is right.
    orderClockBoundMs: live.maxClockOffsetMs,
    machine: inputs.machine,
    estimateFee: createFeeEstimate(simulation, { instruments, now: () => time.now() }),
    ignoresExternal: live.externalOrders === 'ignore',
    since: begun.since,
    history,
    forcedTerms: createForcedTerms(config, terms),
    liquidationWarning: config.risk.liquidationWarning,
    rulesOf: (id) => terms.rules.at(id, time.now()),
    travel: (_command, _given, depart) => {
      depart();
    },
    ...comparisons(inputs, parts, { ...assembled, time, instruments, history }),
  };
}

/** Sends nothing for instruments that are gone, nor without the lease of the journal. */
function executionOf(
  { connection, onBoundary = () => undefined }: BotInputs,
  { journal, gone }: BotParts,
  now: () => EpochMs,
): VenueSessionOptions['venue']['execution'] {
  const leased = leasedExecution(connection.venue.execution, () => journal.isHeld);
  return goneExecution(watchExecution(leased, onBoundary), { gone, now });
}

interface Compared extends Assembled {
  readonly time: VenueSessionOptions['time'];
  readonly instruments: VenueSessionOptions['instruments'];
  readonly history: VenueSessionOptions['history'];
}

/** How a session compares the bot's books with the venue, at its start and while it runs. */
function comparisons(
  inputs: BotInputs,
  { terms, controller, gone }: BotParts,
  { begun, claimed, checked, time, instruments, history }: Compared,
): Pick<VenueSessionOptions, 'compareAgain' | 'reconcile'> {
  const { config, connection, onBoundary = () => undefined } = inputs;
  const traded = instruments.filter(({ isReadOnly }) => isReadOnly !== true);
  const { signal } = controller;
  const source = connection.venue.account;
  const compared = {
    engine: begun.engine,
    source,
    instruments: traded,
    signal,
    isGone: gone.has,
    rules: terms.rules,
    now: () => time.now(),
  };
  const pause = (delayMs: number): Promise<void> => pauseFor(delayMs, inputs.machine, signal);
  return {
    compareAgain: async (session) => {
      const found = await lookAgain({
        compare: () => compareHoldings({ ...compared, session }),
        pause,
      });
      return found.map(describeDisagreement);
    },
    reconcile: async (session) => {
      onBoundary('reconciliation');
      if (checked.isDue) await checked.verify();
      checked.isDue = false;
      const policy = config.live.externalOrders;
      const found = await settleStart({
        compare: () => compareVenue({ ...compared, session, history }),
        policy,
        pause,
        onIgnored: (text) => {
          inputs.log.warning({ time: time.now(), text });
        },
      });
      await shareSpot(compared, inputs, pause);
      claimed.found = adoptable(found, policy);
      if (claimed.found.length > 0) claimed.accounts = await readAccounts(traded, source, signal);
      return found.map(describeDisagreement);
    },
  };
}

/** @throws as `refuseOverclaims`. */
async function shareSpot(
  {
    engine,
    rules,
    now,
    source,
    signal,
  }: Pick<CompareVenueOptions, 'engine' | 'rules' | 'now' | 'source' | 'signal'>,
  { config, connection: { claims } }: BotInputs,
  pause: (delayMs: number) => Promise<void>,
): Promise<void> {
  const balances = (): readonly BelievedBalance[] => {
    const { workingOrders: orders, portfolio } = engine;
    return believe({ orders, portfolio }, { rules, now: now() }).balances;
  };
  claims.enter(config.name, balances, signal);
  await refuseOverclaims(claims, { source, signal, pause });
}

/** Resolves after `delayMs`, or when the bot ends. */
function pauseFor(
  delayMs: number,
  machine: BotInputs['machine'],
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const cancel = machine.after(delayMs, () => {
      signal.removeEventListener('abort', end);
      resolve();
    });
    const end = (): void => {
      cancel();
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
}

/** The fills that the bot already knows, and the newest own trade of each instrument: trades before this bot are not its own. */
async function knownTrades(
  { engine, history }: Begun,
  inputs: BotInputs,
  { controller: { signal }, patience, gone }: BotParts,
): Promise<Pick<MarketSessionOptions, 'fills' | 'lastTrades'>> {
  if (history !== undefined) return toldFills(engine, history, inputs.config);
  const read = (): Promise<ReadonlyMap<InstrumentId, string>> =>
    newestTrades(inputs, { signal, gone });
  return { fills: new FillBook(), lastTrades: await patiently(read, patience) };
}

async function newestTrades(
  { config, connection }: BotInputs,
  { signal, gone }: { readonly signal: AbortSignal; readonly gone: BotParts['gone'] },
): Promise<ReadonlyMap<InstrumentId, string>> {
  const { account: source } = connection.venue;
  const last = new Map<InstrumentId, string>();
  for (const { instrumentId, readOnly } of config.instruments) {
    if (readOnly === true || gone.has(instrumentId)) continue;
    const id = await lastTradeBefore(connection.time.now(), { source, instrumentId, signal });
    if (id !== undefined) last.set(instrumentId, id);
  }
  return last;
}

/** The interface shows no balance or debt of margin accounts (DESIGN R13). */
function requireBlindMargin({ live, name }: SessionConfig): void {
  if (live.blindMargin) return;
  throw new ConfigError('E_CONFIG_MISSING', {
    location: { file: name, key: 'live.blindMargin' },
    expected: 'true, because the venue shows no balance or debt of margin accounts',
    received: 'nothing',
  });
}
