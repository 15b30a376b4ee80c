import { present, type InstrumentId } from '../../domain/index.js';
import type { BotLog, UnverifiedTerms } from '../../live/index.js';
import type { SessionConfig } from '../../config/index.js';
import { createInstrument } from '../market/create-instruments.js';
import type { MarketTerms } from '../market/load-terms.js';
import { createRiskPolicy } from '../risk-policy.js';
import type { LiveConnection, MachineTime } from './live-connection.js';
import { probeTerms } from './probe-terms.js';
import {
  assertedTerms,
  describeUnverified,
  refuseDifferences,
  refuseUnverified,
} from './verify-terms.js';

export interface ConfirmTermsOptions {
  readonly config: SessionConfig;
  readonly terms: MarketTerms;
  readonly connection: LiveConnection;
  readonly machine: MachineTime;
  readonly log: BotLog;
  readonly signal: AbortSignal;
  /** Whether what nothing shows may be found out by a smallest round trip. */
  readonly probes: boolean;
}

/**
 * Settles what nothing at the venue shows of a new bot's terms: they are found out by a probe, else taken as configured where
 * `live.unverified` accepts that.
 *
 * Before the epoch begins: what a probe trades is in no number of the bot, beyond the balance that it costs.
 * @throws {ConfigError} `E_TERMS_UNVERIFIED` when neither may be done, `E_TERMS_DIFFER` when a probe shows something else; as `probeTerms`.
 */
export async function confirmTerms(
  unverified: readonly UnverifiedTerms[],
  options: ConfirmTermsOptions,
): Promise<void> {
  if (unverified.length === 0) return;
  const { config, probes } = options;
  if (probes) for (const { instrumentId } of unverified) await probe(instrumentId, options);
  else if (config.live.unverified === 'accept')
    say(
      options,
      `taken as configured, because nothing shows it: ${describeUnverified(unverified)}`,
    );
  else refuseUnverified(config, unverified);
}

async function probe(instrumentId: InstrumentId, options: ConfirmTermsOptions): Promise<void> {
  const { config, terms, connection, machine, signal } = options;
  const contract = config.instruments.map(createInstrument).find(({ id }) => id === instrumentId);
  const asserted = assertedTerms(config).find((each) => each.instrumentId === instrumentId);
  if (contract?.kind !== 'futures') return;
  const now = (): number => connection.time.now();
  const differences = await probeTerms({
    instrument: contract,
    asserted: present(asserted, `terms of ${instrumentId}`),
    rules: present(terms.rules.at(instrumentId, now()), `rules of ${instrumentId}`),
    policy: createRiskPolicy(config, terms.tiers),
    venue: connection.venue,
    now,
    time: machine,
    log: (text) => {
      say(options, text);
    },
    signal,
  });
  refuseDifferences(config, differences);
}

function say({ log, connection }: ConfirmTermsOptions, text: string): void {
  log.warning({ time: connection.time.now(), text });
}
