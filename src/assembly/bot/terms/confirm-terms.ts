import type { SessionConfig } from '../../../config/index.js';
import { present, type InstrumentId } from '../../../domain/index.js';
import type { BotLog, UnverifiedTerms } from '../../../live/index.js';
import { createInstrument } from '../../market/create-instruments.js';
import type { MarketTerms } from '../../market/load-terms.js';
import { createRiskPolicy } from '../../risk-policy.js';
import type { LiveConnection, MachineTime } from '../connection/live-connection.js';
import { probeTerms } from './probe-terms.js';
import {
  assertedTerms,
  describeUnverified,
  refuseDifferences,
  refuseUnverified,
} from './verify-terms.js';

interface ConfirmTermsOptions {
  readonly config: SessionConfig;
  readonly terms: MarketTerms;
  readonly connection: LiveConnection;
  readonly machine: MachineTime;
  readonly log: BotLog;
  readonly signal: AbortSignal;
  /** Whether the smallest possible round trip may find out terms that the venue does not show. */
  readonly probes: boolean;
}

/**
 * Settles the terms of a new bot that the venue does not show: a probe finds them out; without probes they are taken as configured if `live.unverified`
 * accepts that.
 *
 * This happens before the epoch begins: the trades of a probe are in no number of the bot. Only the balance shows their cost.
 * @throws {ConfigError} `E_TERMS_UNVERIFIED` when neither is allowed, `E_TERMS_DIFFER` when a probe shows other terms; as `probeTerms`.
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
      `taken from the config, because the venue does not show it: ${describeUnverified(unverified)}`,
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
