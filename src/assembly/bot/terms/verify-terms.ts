import type { SessionConfig } from '../../../config/index.js';
import { ConfigError, formatFixed, type InstrumentId } from '../../../domain/index.js';
import {
  compareTerms,
  type AssertedTerms,
  type Disagreement,
  type TermsDifference,
  type UnverifiedTerms,
} from '../../../live/index.js';
import type {
  AccountSnapshot,
  AccountSource,
  FuturesAccountSnapshot,
  VenueOrder,
} from '../../../venue/index.js';

/** Reads what shows the terms of contracts: positions, and orders of those without one. */
export interface TermsReader {
  readonly account: () => Promise<AccountSnapshot>;
  readonly source: Pick<AccountSource, 'orderHistory'>;
  readonly signal: AbortSignal;
  /** Whether the venue no longer has a contract, so that nothing shows its terms. @defaultValue none is gone */
  readonly isGone?: ((instrumentId: InstrumentId) => boolean) | undefined;
}

const PAGE_SIZE = 1_000;

/** The terms of contracts that a configuration asserts. */
export function assertedTerms({
  instruments,
  simulation,
}: Pick<SessionConfig, 'instruments' | 'simulation'>): readonly AssertedTerms[] {
  const { positionMode } = simulation.futures;
  return instruments.flatMap((instrument) => {
    if (instrument.kind !== 'futures' || instrument.readOnly === true) return [];
    const { instrumentId, leverage, marginMode } = instrument;
    return [{ instrumentId, leverage, marginMode, positionMode }];
  });
}

/**
 * Compares leverage, margin mode and position mode of every contract, which cannot be set through the interface, with the open positions, or without one
 * with the newest order of the history. Returns the terms that nothing shows.
 *
 * @throws {ConfigError} `E_TERMS_DIFFER` when the venue shows other terms; errors of the source.
 */
export async function verifyTerms(
  config: SessionConfig,
  reader: TermsReader,
): Promise<readonly UnverifiedTerms[]> {
  const asserted = assertedTerms(config).filter((each) => !reader.isGone?.(each.instrumentId));
  if (asserted.length === 0) return [];
  const account = await reader.account();
  const found: Disagreement[] = [];
  for (const terms of asserted)
    if (account.kind === 'futures') found.push(...(await compareContract(terms, account, reader)));
  refuseDifferences(config, found.filter(isDifference));
  return found.filter((each) => each.kind === 'terms-unverified');
}

async function compareContract(
  asserted: AssertedTerms,
  account: FuturesAccountSnapshot,
  { source, signal }: TermsReader,
): Promise<readonly Disagreement[]> {
  const { instrumentId } = asserted;
  const history: VenueOrder[] = [];
  const isHeld = account.accounts
    .flatMap(({ positions }) => positions)
    .some((each) => each.instrumentId === instrumentId && each.isValid && each.quantity > 0n);
  if (!isHeld)
    for await (const row of source.orderHistory(instrumentId, { signal, pageSize: PAGE_SIZE }))
      history.push(row);
  return compareTerms(asserted, { account, history });
}

/** Refuses terms that differ. @throws {ConfigError} `E_TERMS_DIFFER`. */
export function refuseDifferences(
  { name }: Pick<SessionConfig, 'name'>,
  differences: readonly TermsDifference[],
): void {
  if (differences.length === 0) return;
  const parts = differences.map(describeDifference);
  throw new ConfigError('E_TERMS_DIFFER', {
    location: { file: name, key: 'instruments' },
    expected: parts.map(({ expected }) => expected).join(', '),
    received: parts.map(({ received }) => received).join(', '),
    suggestion:
      'set them at the venue (the interface cannot), or test the bot with the values of the venue',
  });
}

export function isDifference(found: Disagreement): found is TermsDifference {
  return (
    found.kind === 'leverage-differs' ||
    found.kind === 'margin-mode-differs' ||
    found.kind === 'position-mode-differs'
  );
}

const NAMES = {
  'leverage-differs': 'leverage',
  'margin-mode-differs': 'marginMode',
  'position-mode-differs': 'positionMode',
} as const;

function describeDifference(difference: TermsDifference): {
  readonly expected: string;
  readonly received: string;
} {
  const { instrumentId, kind, configured, actual, seenIn } = difference;
  const what = NAMES[kind];
  return {
    expected: `the ${what} of ${instrumentId} to be ${textOf(configured)}`,
    received: `${textOf(actual)} in its ${seenIn}`,
  };
}

function textOf(term: bigint | string): string {
  return typeof term === 'string' ? term : formatFixed(term);
}

/** Refuses terms that nothing shows. @throws {ConfigError} `E_TERMS_UNVERIFIED`. */
export function refuseUnverified(
  { name }: Pick<SessionConfig, 'name'>,
  unverified: readonly UnverifiedTerms[],
): void {
  if (unverified.length === 0) return;
  throw new ConfigError('E_TERMS_UNVERIFIED', {
    location: { file: name, key: 'instruments' },
    expected: 'an open position or an order of the history that shows them',
    received: `nothing that shows ${describeUnverified(unverified)}`,
    suggestion:
      'start once with --probe, which opens and closes the smallest position, or take them as configured with live.unverified: accept',
  });
}

/** Names unverified terms, for example `leverage, marginMode of futures:E-BTC-USDT`. */
export function describeUnverified(unverified: readonly UnverifiedTerms[]): string {
  const byContract = new Map<InstrumentId, readonly string[]>();
  for (const { instrumentId, terms } of unverified) byContract.set(instrumentId, terms);
  return [...byContract].map(([id, terms]) => `${terms.join(', ')} of ${id}`).join(' and ');
}
