import { readFile } from 'node:fs/promises';
import {
  isProfileOf,
  parseVenueProfile,
  profileFile,
  type SessionConfig,
  type VenueProfile,
} from '../assembly/index.js';

/** What `check --online` wrote of a bot's venue; undefined where there is nothing, or of another venue, or that cannot be read. */
export async function readVenueProfile(config: SessionConfig): Promise<VenueProfile | undefined> {
  const text = await readFile(profileFile(config), 'utf8').catch(() => '');
  const profile = parseVenueProfile(text);
  return profile !== undefined && isProfileOf(profile, config) ? profile : undefined;
}
