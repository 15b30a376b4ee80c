import type { Direction, Fixed, InstrumentId } from '../../domain/index.js';
import type { Portfolio } from '../../engine/index.js';
import type { ReadOptions, SharedAccount } from '../../feed/index.js';
import type { FuturesAccountSnapshot, VenuePosition } from '../../venue/index.js';

const DIRECTIONS: readonly Direction[] = ['long', 'short'];

/** Contracts whose position in the account differs from the bot's: something has happened that was not reported yet. */
export function changedContracts(
  snapshot: FuturesAccountSnapshot,
  portfolio: Portfolio,
  instrumentIds: readonly InstrumentId[],
): ReadonlySet<InstrumentId> {
  const shown = new Map<string, Fixed>();
  for (const { instrumentId, direction, quantity } of positionsOf(snapshot)) {
    const side = `${instrumentId} ${direction}`;
    shown.set(side, (shown.get(side) ?? 0n) + quantity);
  }
  return new Set(
    instrumentIds.filter((id) =>
      DIRECTIONS.some(
        (direction) =>
          (shown.get(`${id} ${direction}`) ?? 0n) !==
          portfolio.instrument(id)[direction].holding.quantity,
      ),
    ),
  );
}

/** Whether the bot's books have a position in an instrument, and it is a contract. */
export function holdsContract(portfolio: Portfolio, instrumentId: InstrumentId): boolean {
  const { instrument, long, short } = portfolio.instrument(instrumentId);
  return (
    instrument.kind === 'futures' && (long.holding.quantity > 0n || short.holding.quantity > 0n)
  );
}

/** Reads the marks of all held contracts with one call. */
export async function readHeldMarks(
  account: Pick<SharedAccount, 'read'>,
  options: ReadOptions,
): Promise<ReadonlyMap<InstrumentId, Fixed>> {
  return marksOf(await account.read(options));
}

export function marksOf(snapshot: FuturesAccountSnapshot): ReadonlyMap<InstrumentId, Fixed> {
  return new Map(
    positionsOf(snapshot).flatMap(({ instrumentId, markPrice }) =>
      markPrice === undefined ? [] : [[instrumentId, markPrice]],
    ),
  );
}

function positionsOf({ accounts }: FuturesAccountSnapshot): readonly VenuePosition[] {
  return accounts
    .flatMap(({ positions }) => positions)
    .filter(({ isValid, quantity }) => isValid && quantity > 0n);
}
