import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { hashColumns, hashFunding } from '../../archive/index.js';
import { createFillTerms } from '../../assembly/backtest/index.js';
import {
  loadExchangeConfig,
  type ExchangeConfig,
  type LoadedExchangeConfig,
} from '../../config/index.js';
import { DataError, DomainError, formatUtc, nounOf, UsageError } from '../../domain/index.js';
import {
  buildExchange,
  openExchangeState,
  parseFaultRule,
  serveExchange,
  type ClockMode,
  type ExchangeState,
  type FaultRule,
  type ListedSource,
  type LocalExchange,
  type ServedExchange,
} from '../../local-exchange/index.js';
import type { AnswerProfile } from '../../venue/wire/index.js';
import type { CliContext } from '../cli-context.js';
import { describeError } from '../describe-error.js';
import { ownCommand } from '../own-command.js';
import { ProgressLine } from '../progress.js';
import { systemTime } from '../../engine/index.js';
import { makeAccounts } from './exchange-accounts.js';
import { openGround } from './exchange-ground.js';
import { problemAt } from './problem-at.js';

/** Options of `exchange` as commander parses them. */
export interface ExchangeFlags {
  readonly port?: number;
  readonly profile?: AnswerProfile;
  readonly clock?: ClockMode;
  readonly speed?: number;
  readonly state?: string;
  readonly synthetic?: number;
  readonly json?: true;
}

const STATUS_MS = 1_000;
/** Environment variable with the token of the control API. If it is not set, a token is made. */
const TOKEN_VARIABLE = 'EVENKEEL_CONTROL_TOKEN';

/** Runs `exchange` until it is interrupted. */
export async function runExchangeCommand(
  file: string | undefined,
  flags: ExchangeFlags,
  context: CliContext,
): Promise<void> {
  const loaded = withFlags(await loadExchangeConfig(file, context.cwd), flags);
  const state = await openState(loaded, flags, context);
  try {
    const exchange = await assemble(loaded, context, state);
    const given = context.env[TOKEN_VARIABLE];
    const token = given ?? randomText();
    const { host, port, remote } = loaded.config.listen;
    const served = await serveExchange(exchange, {
      host,
      port,
      allowRemote: remote,
      timers: systemTime,
      control: { token, randomText },
      onFailure: (error) => {
        for (const line of describeError(error).lines) context.stderr.write(`${line}\n`);
      },
    }).catch((error: unknown) => {
      if (!(error instanceof DomainError) || error.code !== 'E_EXCHANGE_HOST') throw error;
      throw problemAt(loaded, ['listen', 'host'], error.code, {
        expected: 'an address of this machine only, such as 127.0.0.1, or listen.remote: true',
        received: `"${host}"`,
      });
    });
    try {
      const command = ownCommand(context.cwd);
      const secretEnvs = secretEnvsOf(loaded);
      const made = given === undefined ? token : undefined;
      const running = { exchange, served, token: made, secretEnvs, command };
      context.stdout.write(announce(running, flags.json === true));
      await untilInterrupted(exchange, context);
    } finally {
      await served.close();
    }
  } finally {
    state?.close();
  }
}

/** 192 random bits as hexadecimal digits. */
function randomText(): string {
  return randomBytes(24).toString('hex');
}

function withFlags(loaded: LoadedExchangeConfig, flags: ExchangeFlags): LoadedExchangeConfig {
  const { config } = loaded;
  const { listen, clock, market } = config;
  const mode = flags.clock ?? clock.mode;
  if (flags.speed !== undefined && mode !== 'accelerated')
    throw new UsageError('E_USAGE', `--speed needs --clock accelerated, received ${mode}`);
  // The option replaces the stored candles of the file.
  const candles =
    flags.synthetic === undefined
      ? market
      : {
          ...market,
          archive: undefined,
          synthetic: { ...market.synthetic, seed: flags.synthetic },
        };
  return {
    ...loaded,
    config: {
      ...config,
      profile: flags.profile ?? config.profile,
      listen: { ...listen, port: flags.port ?? listen.port },
      market: candles,
      clock: { ...clock, mode, speed: flags.speed ?? clock.speed },
    },
  };
}

async function openState(
  { config, directory }: LoadedExchangeConfig,
  flags: ExchangeFlags,
  { cwd }: CliContext,
): Promise<ExchangeState | undefined> {
  if (flags.state !== undefined) return openExchangeState(path.resolve(cwd, flags.state));
  if (config.state === undefined) return undefined;
  return openExchangeState(path.resolve(directory, config.state));
}

async function assemble(
  loaded: LoadedExchangeConfig,
  { env }: CliContext,
  state: ExchangeState | undefined,
): Promise<LocalExchange> {
  const { config } = loaded;
  const ground = await openGround(loaded, { now: systemTime.now(), state });
  const { instruments, growth, start } = ground;
  const print = fingerprint(config, instruments);
  if (state !== undefined && state.keep('fingerprint', print) !== print) {
    throw new DataError(
      'E_EXCHANGE_STATE',
      `${state.file}: the state file belongs to an exchange with other candles, rules, terms or clock: start that exchange, or name another state file`,
    );
  }
  const { margin, futures } = config.market;
  return buildExchange({
    instruments,
    growth,
    terms: {
      ...createFillTerms(config.market),
      hourlyRate: margin.hourlyRate,
      maxFeeRate: futures.maxFeeRate,
    },
    fundingRateKnown: futures.fundingRateKnown,
    profile: config.profile,
    lists: config.lists,
    clock: { mode: config.clock.mode, speed: config.clock.speed, start },
    accounts: makeAccounts(loaded, env, randomText),
    faults: { seed: config.faults.seed, rules: readFaults(loaded) },
    limits: config.limits ? {} : undefined,
    transport: systemTime,
    journal: state,
  });
}

/** Hash of all inputs that a replay of the state depends on. */
function fingerprint({ market, clock }: ExchangeConfig, sources: readonly ListedSource[]): string {
  const parts = [
    clock.mode,
    clock.mode === 'accelerated' ? clock.speed : 1,
    market.spreadBps,
    market.slippage.model === 'fixed' ? market.slippage.bps : market.slippage,
    market.participation,
    market.fillOnTouch,
    market.margin.hourlyRate,
    market.futures.maxFeeRate,
    ...sources.flatMap(({ instrument, rules, tiers, interval, rows, mark, funding }) => [
      instrument,
      rules,
      tiers,
      interval,
      hashColumns(rows.whole()),
      mark && [mark.interval, hashColumns(mark.rows.whole())],
      funding?.stored && hashFunding(funding.stored),
    ]),
  ];
  const text = JSON.stringify(parts, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return createHash('sha256').update(text).digest('hex');
}

function readFaults(loaded: LoadedExchangeConfig): readonly FaultRule[] {
  return loaded.config.faults.rules.map((written, index) => {
    try {
      const rule = parseFaultRule(written);
      if (rule.fault !== 'connection-refused') return rule;
      throw new DomainError('E_FAULT', 'connection-refused is for the control API');
    } catch (error: unknown) {
      if (!(error instanceof DomainError)) throw error;
      const problem = { expected: 'a fault', received: error.message };
      throw problemAt(loaded, ['faults', 'rules', index], error.code, problem);
    }
  });
}

interface Running {
  readonly exchange: LocalExchange;
  readonly served: ServedExchange;
  /** Token of the control API; undefined if the user has set it. */
  readonly token: string | undefined;
  /** Variables with the secrets of accounts, by account name. */
  readonly secretEnvs: ReadonlyMap<string, string>;
  /** How the user calls this program. */
  readonly command: string;
}

function secretEnvsOf({ config }: LoadedExchangeConfig): ReadonlyMap<string, string> {
  return new Map(
    config.accounts?.flatMap(({ name, secretEnv }) =>
      secretEnv === undefined ? [] : [[name, secretEnv]],
    ),
  );
}

/** Text with everything that a user needs to begin. It is the only output that shows secrets, and only generated ones. */
function announce(
  { exchange, served, token, secretEnvs, command }: Running,
  isJson: boolean,
): string {
  const { accounts, marketTime, marketEnd, profile } = exchange.parts;
  const holders = accounts.list().map(({ settings: { name, userId, key, secret } }) => {
    const secretEnv = secretEnvs.get(name);
    return { name, userId, key, ...(secretEnv === undefined ? { secret } : { secretEnv }) };
  });
  if (isJson) {
    const { url, port } = served;
    const document = {
      url,
      port,
      profile,
      clock: marketTime.mode,
      marketTime: marketTime.now(),
      marketEnd,
    };
    const control =
      token === undefined ? { controlTokenEnv: TOKEN_VARIABLE } : { controlToken: token };
    return `${JSON.stringify({ ...document, ...control, accounts: holders })}\n`;
  }
  const lines = [
    `local exchange at ${served.url} (spot, margin and futures), profile ${profile}`,
    `market time ${formatUtc(marketTime.now())}, clock ${marketTime.mode}, candles until ${formatUtc(marketEnd)}`,
    `control API at ${served.url}/control, token ${token ?? `in ${TOKEN_VARIABLE}`}`,
    ...holders.map(
      ({ name, key, ...rest }) =>
        `account ${name}: key ${key} secret ${'secret' in rest ? rest.secret : `in ${rest.secretEnv}`}`,
    ),
    `try: ${command} call spot.symbols --spot-url ${served.url}`,
    'Ctrl-C ends it',
  ];
  return `${lines.join('\n')}\n`;
}

async function untilInterrupted(exchange: LocalExchange, context: CliContext): Promise<void> {
  context.endsInOrder?.();
  const line = new ProgressLine(context.stderr);
  const timer = setInterval(() => {
    line.show(describeStatus(exchange));
  }, STATUS_MS);
  try {
    await new Promise<void>((resolve) => {
      if (context.signal.aborted) resolve();
      else context.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    clearInterval(timer);
    line.clear();
  }
}

function describeStatus({ parts, counters }: LocalExchange): string {
  const { requests, commands, refused, limited } = counters;
  const { marketTime, marketEnd } = parts;
  const time = marketTime.now();
  const ended = time < marketEnd ? '' : ' (candles have ended, the market stands still)';
  const faults = Object.values(parts.faults.counts()).reduce((sum, count) => sum + count, 0);
  return `${formatUtc(time)}${ended}  ${String(requests)} ${nounOf(requests, 'request')}, ${String(commands)} ${nounOf(commands, 'command')}, ${String(refused)} refused, ${String(limited)} limited, ${String(faults)} ${nounOf(faults, 'fault')}`;
}
