import { readFile } from 'node:fs/promises';
import {
  isProfileOf,
  parseVenueProfile,
  profileFile,
  type SessionConfig,
  type VenueProfile,
} from '../assembly/index.js';

/** Reads what `check --online` wrote about a bot's venue; undefined if there is nothing, it is about another venue, or it cannot be read. */
export async function readVenueProfile(config: SessionConfig): Promise<VenueProfile | undefined> {
  const text = await readFile(profileFile(config), 'utf8').catch(() => '');
  const profile = parseVenueProfile(text);
  return profile !== undefined && isProfileOf(profile, config) ? profile : undefined;
}
