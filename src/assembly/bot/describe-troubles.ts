import type { VenueClient } from '../../client/index.js';
import { formatUtc, SECOND_MS } from '../../domain/index.js';
import type { GuardStandby } from '../../live/index.js';

/** After so many refusals in a row over so long, the cause is the key, not a temporary fault of a gateway. */
const REFUSALS = { count: 3, lengthMs: 10 * SECOND_MS } as const;

/** Entries end at this share of the bound beyond which nothing is signed, exits neither. */
const CLOCK_SHARE = 0.5;

/** How far the venue's clock is ahead of this machine's, and the bound; undefined if there is none. */
interface ClockApart {
  readonly aheadMs: number | undefined;
  readonly boundMs: number | undefined;
}

/** Describes troubles with a client's key, with our address at the venue or with the connection, by name, one line each; empty if there are none. */
export function describeTroubles({
  ban,
  keyRefusal,
  unanswered,
  clock,
}: Pick<VenueClient, 'ban' | 'keyRefusal' | 'unanswered'> & {
  readonly clock: ClockApart;
}): ReadonlyMap<string, string> {
  const troubles = new Map<string, string>();
  const { aheadMs = 0, boundMs = Number.POSITIVE_INFINITY } = clock;
  if (Math.abs(aheadMs) > CLOCK_SHARE * boundMs)
    troubles.set('clock', describeClock(aheadMs, boundMs));
  if (unanswered !== undefined)
    troubles.set(
      'answers',
      `the venue has not answered ${unanswered.name} since ${formatUtc(unanswered.since)}`,
    );
  if (ban !== undefined)
    troubles.set(
      'ban',
      `the venue has banned this address since ${formatUtc(ban.since)} (HTTP 418): nothing can be sent, exits included, until ${formatUtc(ban.until)}`,
    );
  if (keyRefusal === undefined) return troubles;
  const { since, latest, count, text } = keyRefusal;
  if (count >= REFUSALS.count && latest - since >= REFUSALS.lengthMs)
    troubles.set(
      'key',
      `the venue refuses key or signature since ${formatUtc(since)}, ${String(count)} times in a row, exits are still tried: see to the key, its permissions and the address (${text})`,
    );
  return troubles;
}

function describeClock(aheadMs: number, boundMs: number): string {
  const seconds = (ms: number): string => `${(Math.abs(ms) / SECOND_MS).toFixed(1)} s`;
  const where = aheadMs > 0 ? 'ahead of' : 'behind';
  return `the venue's clock is ${seconds(aheadMs)} ${where} this machine's; beyond ${seconds(boundMs)} nothing can be sent, exits included: set this machine's clock right (live.maxClockOffsetMs)`;
}

/** Describes, in the same form, the trouble that the guard process is gone: until it is back, no other process would guard the positions. */
export function describeStandby(standby: GuardStandby | undefined): ReadonlyMap<string, string> {
  if (standby !== 'gone') return new Map();
  return new Map([
    [
      'guard process',
      'the guard process has ended, and is started again: until it is there nobody guards if this process ends, and nothing is entered',
    ],
  ]);
}
