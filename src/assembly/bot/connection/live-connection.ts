import {
  createCallQueue,
  DEFAULT_PRINCIPAL,
  parseBaseUrl,
  readAuthorities,
  RestAccount,
  RestExecution,
  RestMarketData,
  VenueClient,
  type CallQueue,
  type ClockReading,
  type Credentials,
  type HostName,
  type HttpTimeouts,
  type Timers,
  type VenueClientOptions,
} from '../../../client/index.js';
import type { SessionConfig } from '../../../config/index.js';
import { ConfigError, type Clock, type EpochMs } from '../../../domain/index.js';
import {
  AGAIN_MS,
  CANDLE_PLAN,
  MarketFeed,
  PollQueue,
  SharedAccount,
  type FeedTime,
} from '../../../feed/index.js';
import { ContractSamples, type BotStatus, type SessionVenue } from '../../../live/index.js';
import { planStops, type StopPlan, type Venue } from '../../../venue/index.js';
import { ENDPOINTS } from '../../../venue/wire/index.js';
import { marketCapabilitiesOf, type VenueProfile } from '../../online/venue-profile.js';
import { describeTroubles } from '../describe-troubles.js';
import { SpotClaims } from '../spot-claims.js';
import { DryRunExecution } from './dry-run-execution.js';
import { pollSlotMs } from './poll-budget.js';

/** The machine's time, which nobody sets, and its timers (D-289). */
export interface MachineTime extends Clock, Timers {
  /** UTC as the machine tells it, which somebody may set. @defaultValue the clock itself */
  readonly wall?: Clock | undefined;
}

/** The clock of a venue. */
interface VenueClock {
  /** Key of the configuration that names its host. */
  readonly key: string;
  /** Resolves with the venue's time, once it is known. */
  now(signal: AbortSignal): Promise<EpochMs>;
  /** Measures it again, however far it is from our clock. */
  measure(signal: AbortSignal): Promise<ClockReading>;
}

/** Everything that bots with one key on one venue share: limits, market data, and the venue's time. */
export interface LiveConnection {
  readonly venue: SessionVenue;
  readonly clock: VenueClock;
  /** The balances of the spot account that each bot counts as its own. */
  readonly claims: SpotClaims;
  /** The venue's time, by our best estimate. */
  readonly time: FeedTime;
  /** How often stops are sampled. */
  readonly stopPlan: StopPlan;
  /** Largest error of `time` against the venue's clock, in ms; before the first reading the configured `live.maxClockOffsetMs`. */
  readonly clockBoundMs: () => number;
  /** Troubles with the key, or with our address at the venue, by name, one line each. */
  readonly troubles: () => ReadonlyMap<string, string>;
  /** Present use of the venue's limits by all connections of the process. */
  readonly budgets: () => BotStatus['budgets'];
  close(): Promise<void>;
}

/** A connection to an exchange with the specified interface. */
export interface ExchangeConnection extends LiveConnection {
  readonly client: VenueClient;
}

/** Remembers until when hosts have banned this machine, also after the process ends. Never throws. */
export interface BanMemory {
  until(origin: string): EpochMs | undefined;
  note(origin: string, until: EpochMs): void;
}

interface ConnectOptions {
  readonly config: SessionConfig;
  readonly credentials: Credentials | undefined;
  readonly machine: MachineTime;
  readonly random: () => number;
  readonly queue: CallQueue;
  /** How late candles may be before their streams are stale, in ms; a bot may set less. @defaultValue that of the configuration */
  readonly staleAfterMs?: number | undefined;
  /** Whether no commands are sent. @defaultValue false */
  readonly isDryRun?: boolean | undefined;
  /** How often stops are sampled for all bots of the process. @defaultValue as if the configuration's bot were alone */
  readonly stopPlan?: StopPlan | undefined;
  /** @defaultValue those of the client */
  readonly timeouts?: HttpTimeouts | undefined;
  /** Abilities of the venue that `check --online` has found. @defaultValue those of the specified interface */
  readonly profile?: VenueProfile | undefined;
  /** Bans that earlier processes received. @defaultValue none */
  readonly bans?: BanMemory | undefined;
  /** Called when a call leaves (1) and when it has ended (-1). */
  readonly onTraffic?: VenueClientOptions['onTraffic'] | undefined;
  readonly breathe?: VenueClientOptions['breathe'] | undefined;
}

/** The call limits of a process, which all its connections share. On paper no calls are reserved for commands, because none are sent. */
export function createProcessQueue(
  machine: MachineTime,
  mode: BotStatus['mode'] = 'live',
): CallQueue {
  return createCallQueue({ clock: machine, timers: machine, sendsCommands: mode === 'live' });
}

/**
 * Connects to the venue of a configuration. Nothing is sent before the first call.
 *
 * @throws {ConfigError} `E_CONFIG_MISSING` without the address an instrument needs; `E_URL`, `E_URL_INSECURE`.
 */
export function connectLive(options: ConnectOptions): ExchangeConnection {
  const { config, machine, queue, bans, isDryRun = false } = options;
  const { staleAfterMs = config.live.staleAfterMs } = options;
  const { stopPlan = planStops(config.instruments) } = options;
  const hosts = hostsOf(config);
  const client = createClient(options, hosts);
  recallBans(hosts, { bans, queue, now: (machine.wall ?? machine).now() });
  const host = clockHostOf(config);
  const offsetMs = (): number => client.clockReading(host)?.offsetMs ?? 0;
  // On paper nothing is signed.
  const boundMs = options.credentials && config.live.maxClockOffsetMs;
  const ownTime = (): EpochMs => Math.max(machine.now(), (machine.wall ?? machine).now());
  const time: FeedTime = {
    now: (): EpochMs => Math.round(machine.now() + offsetMs()),
    passed: () => Math.min(time.now(), ownTime()),
    after: (delayMs, action) => machine.after(delayMs, action),
  };
  const market = new RestMarketData(client, marketCapabilitiesOf(options.profile));
  const { bucket, ...limit } = ENDPOINTS['futures.openOrders'].rateLimit;
  return {
    client,
    clock: {
      key: `venue.${host}Url`,
      now: (signal) => client.serverTime(host, signal),
      measure: (signal) => client.measureClock(host, signal),
    },
    claims: new SpotClaims(),
    time,
    stopPlan,
    venue: shareVenue(
      {
        marketData: market,
        account: new RestAccount(client),
        execution: isDryRun ? new DryRunExecution() : new RestExecution(client),
      },
      { time, stopPlan, staleAfterMs, slotMs: pollSlotMs(bucket, limit) },
    ),
    clockBoundMs: () => client.clockReading(host)?.uncertaintyMs ?? config.live.maxClockOffsetMs,
    troubles: () =>
      describeTroubles({
        ...{ ban: client.ban, keyRefusal: client.keyRefusal, unanswered: client.unanswered },
        clock: { aheadMs: client.clockAheadMs(host), boundMs },
      }),
    budgets: () =>
      client.budgets().map(({ rule: { id, limit, windowMs }, used, restsUntil }) => ({
        name: id,
        used,
        limit,
        windowMs,
        restsUntil,
      })),
    close: () => client.close(),
  };
}

/** @throws {ConfigError} if the file of `venue.caFile` cannot be read. */
function createClient(
  {
    config,
    credentials,
    machine,
    random,
    queue,
    timeouts,
    onTraffic,
    bans,
    breathe,
  }: ConnectOptions,
  hosts: VenueClientOptions['hosts'],
): VenueClient {
  const { caFile } = config.venue;
  const authorities =
    caFile === undefined
      ? undefined
      : readAuthorities(caFile, { file: config.name, key: 'venue.caFile' });
  return new VenueClient({
    hosts,
    ...(credentials && { credentials }),
    clock: machine,
    wall: machine.wall,
    timers: machine,
    queue,
    random,
    ...(timeouts && { timeouts }),
    ...(authorities && { authorities }),
    ...(onTraffic && { onTraffic }),
    breathe,
    againAfterMs: AGAIN_MS,
    serverClock: { maxOffsetMs: config.live.maxClockOffsetMs },
    // Other processes read it by the machine's clock.
    onBan: (origin, until) =>
      bans?.note(origin, until - machine.now() + (machine.wall ?? machine).now()),
  });
}

/** The host whose clock a bot uses: the host it trades on; futures if it trades on both. */
export function clockHostOf({ instruments }: Pick<SessionConfig, 'instruments'>): HostName {
  return instruments.some(({ kind }) => kind === 'futures') ? 'futures' : 'spot';
}

/** Settings of a venue that the bots of a connection share. */
interface Sharing {
  readonly time: FeedTime;
  readonly stopPlan: StopPlan;
  /** How late candles may be before their streams are stale, in ms. */
  readonly staleAfterMs: number;
  /** After a poll of accounts, no other poll of accounts may follow for this time. @defaultValue 0 */
  readonly slotMs?: number | undefined;
}

/** Makes the parts of a venue that bots share: each item is read once for all of them. */
export function shareVenue(
  { marketData: market, account, execution }: Venue,
  { time, stopPlan, staleAfterMs, slotMs }: Sharing,
): SessionVenue {
  const candles = { ...CANDLE_PLAN, graceMs: staleAfterMs };
  const feed = new MarketFeed({ source: market, time, plan: { candles } });
  return {
    market,
    feed,
    pollQueue: new PollQueue(time, slotMs),
    account,
    contractSamples: new ContractSamples({
      ...{ feed, time, plan: stopPlan },
      account: new SharedAccount(account, time),
    }),
    execution,
  };
}

/** Applies the bans that an earlier process received. */
function recallBans(
  hosts: VenueClientOptions['hosts'],
  {
    bans,
    queue,
    now,
  }: { readonly bans: BanMemory | undefined; readonly queue: CallQueue; readonly now: EpochMs },
): void {
  for (const base of Object.values(hosts)) {
    const until = bans?.until(base.origin);
    if (until !== undefined && until > now) queue.stop(DEFAULT_PRINCIPAL, until - now);
  }
}

function hostsOf(config: SessionConfig): ConstructorParameters<typeof VenueClient>[0]['hosts'] {
  const { venue, instruments, name } = config;
  const need = (key: 'spotUrl' | 'futuresUrl') => {
    const url = venue[key];
    if (url !== undefined) return parseBaseUrl(url, { file: name, key: `venue.${key}` });
    throw new ConfigError('E_CONFIG_MISSING', {
      location: { file: name, key: `venue.${key}` },
      expected: 'the address of the venue',
      received: 'nothing',
    });
  };
  const isFutures = instruments.some(({ kind }) => kind === 'futures');
  const isSpot = instruments.some(({ kind }) => kind !== 'futures');
  // Other bots on the connection may trade on the other host.
  return {
    ...((isSpot || venue.spotUrl !== undefined) && { spot: need('spotUrl') }),
    ...((isFutures || venue.futuresUrl !== undefined) && { futures: need('futuresUrl') }),
  };
}
