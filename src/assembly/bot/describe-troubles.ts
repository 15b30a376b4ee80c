import type { VenueClient } from '../../client/index.js';
import { formatUtc, SECOND_MS } from '../../domain/index.js';
import type { GuardStandby } from '../../live/index.js';

/** So many refusals of the key in a row, over so long, are no gateway in trouble any more. */
const REFUSALS = { count: 3, lengthMs: 10 * SECOND_MS } as const;

/** What is wrong with a client's key, with our address at the venue, or with the way there, by name with a line for people; empty where nothing is. */
export function describeTroubles({
  ban,
  keyRefusal,
  unanswered,
}: Pick<VenueClient, 'ban' | 'keyRefusal' | 'unanswered'>): ReadonlyMap<string, string> {
  const troubles = new Map<string, string>();
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

/** What is wrong with what would guard in the bot's place, likewise: nobody would, until it is there again. */
export function describeStandby(standby: GuardStandby | undefined): ReadonlyMap<string, string> {
  if (standby !== 'gone') return new Map();
  return new Map([
    [
      'guard process',
      'the guard process has ended, and is started again: until it is there nobody guards if this process ends, and nothing is entered',
    ],
  ]);
}
