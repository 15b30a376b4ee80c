import { createHash } from 'node:crypto';
import path from 'node:path';
import type { SessionConfig } from '../assembly/index.js';
import type { Credentials } from '../client/index.js';
import { UsageError, type InstrumentId } from '../domain/index.js';
import { takeProcessLock } from '../journal/index.js';
import { preparePlace, sharedFolder, type SocketPlace } from './control/control-path.js';

/** Exclusive use of contracts by a bot, until it releases them or its process ends. */
export interface ContractClaim {
  release(): void;
}

/** The contracts to claim, and their venue and key. */
export interface Claimant {
  readonly config: Pick<SessionConfig, 'instruments' | 'venue'>;
  readonly credentials: Credentials | undefined;
}

/**
 * Claims a bot's contracts on its key, and the margin account, against all other bots of this user on this machine. Positions belong to the account,
 * so two bots would mistake each other's positions for their own (DESIGN §7). Spot is shared by allocations.
 *
 * It leaves an empty file for each contract, named by a hash of key, venue and contract.
 * @throws {UsageError} `E_CLAIMED` if another bot has one; {TransportError} `E_CONTROL_SOCKET` if the folder is not this user's own; {JournalError}
 * as `takeProcessLock`.
 */
export async function claimContracts(
  { config, credentials }: Claimant,
  place: SocketPlace,
): Promise<ContractClaim> {
  const held: ContractClaim[] = [];
  const claim: ContractClaim = {
    release: () => {
      for (const each of held.splice(0)) each.release();
    },
  };
  try {
    for (const [what, { kind, instrumentId }] of claimedOf(config)) {
      const { path: own, futuresUrl, spotUrl } = config.venue;
      const url = own ?? (kind === 'futures' ? futuresUrl : spotUrl);
      const file = claimFile(what, { url, credentials }, place);
      await preparePlace(file, place);
      const lock = await takeProcessLock(file);
      if (lock === undefined) throw taken(instrumentId);
      held.push(lock);
    }
    return claim;
  } catch (error: unknown) {
    claim.release();
    throw error;
  }
}

/**
 * What a bot needs exclusively on its key, each with an instrument that needs it: each contract, and the margin account, whose balance and debt
 * belong to all its pairs.
 */
export function claimedOf({
  instruments,
}: Pick<SessionConfig, 'instruments'>): ReadonlyMap<string, SessionConfig['instruments'][number]> {
  const claimed = new Map<string, SessionConfig['instruments'][number]>();
  for (const instrument of instruments) {
    const { kind, instrumentId, readOnly } = instrument;
    if (kind === 'spot' || readOnly === true) continue;
    const what = kind === 'margin' ? 'the margin account' : instrumentId;
    if (!claimed.has(what)) claimed.set(what, instrument);
  }
  return claimed;
}

function claimFile(
  claimed: string,
  {
    url = '',
    credentials,
  }: { readonly url: string | undefined; readonly credentials: Credentials | undefined },
  place: SocketPlace,
): string {
  const origin = URL.canParse(url) ? new URL(url).href : url;
  const what = ['evenkeel claim', credentials?.key.reveal() ?? '', origin, claimed];
  const hash = createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, 32);
  return path.join(sharedFolder(place), `${hash}.claim`);
}

function taken(instrumentId: InstrumentId): UsageError {
  return new UsageError(
    'E_CLAIMED',
    `another running bot on this machine trades ${instrumentId} with this key: stop it first, or use another key`,
  );
}
