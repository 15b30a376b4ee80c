import { z } from 'zod';
import { INTERFACE_CAPABILITIES, type MarketDataCapabilities } from '../../venue/index.js';
import type { SessionConfig } from '../../config/index.js';

/** Capabilities that were found. A missing one could not be found out. */
const found = z.strictObject({
  klinesHaveStartTime: z.boolean().optional(),
  conditionalOrderList: z.boolean().optional(),
  conditionalOrderCancel: z.boolean().optional(),
  testOrders: z.boolean().optional(),
});

const schema = z.strictObject({
  version: z.literal(1),
  /** UTC milliseconds. */
  checkedAt: z.int().nonnegative(),
  venue: z.strictObject({ spotUrl: z.string().optional(), futuresUrl: z.string().optional() }),
  capabilities: found,
});

/**
 * The capabilities of a venue that `check --online` found, for example
 * `{"version":1,"checkedAt":1760000000000,"venue":{"spotUrl":"https://…"},"capabilities":{"klinesHaveStartTime":false}}`.
 */
export type VenueProfile = z.output<typeof schema>;
export type FoundCapabilities = VenueProfile['capabilities'];

const CAPABILITIES = found.keyof().options;

/** Reads a profile; undefined for a text that is not one. */
export function parseVenueProfile(text: string): VenueProfile | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Whether a profile belongs to the venue of a configuration. */
export function isProfileOf(
  { venue }: VenueProfile,
  config: Pick<SessionConfig, 'venue'>,
): boolean {
  const { spotUrl, futuresUrl } = config.venue;
  return venue.spotUrl === spotUrl && venue.futuresUrl === futuresUrl;
}

/** Completes a new profile with capabilities that an earlier profile of the same venue has and the new one lacks. `kept` names them. */
export function withKnown(
  profile: VenueProfile,
  earlier: VenueProfile | undefined,
): { readonly profile: VenueProfile; readonly kept: readonly (keyof FoundCapabilities)[] } {
  const isSame =
    earlier?.venue.spotUrl === profile.venue.spotUrl &&
    earlier?.venue.futuresUrl === profile.venue.futuresUrl;
  const known = isSame ? (earlier?.capabilities ?? {}) : {};
  const { capabilities } = profile;
  return {
    profile: { ...profile, capabilities: { ...known, ...capabilities } },
    kept: CAPABILITIES.filter(
      (name) => capabilities[name] === undefined && known[name] !== undefined,
    ),
  };
}

/** What the market data of a venue can do: as its profile says, else as the interface does. */
export function marketCapabilitiesOf(profile: VenueProfile | undefined): MarketDataCapabilities {
  const { klinesHaveStartTime } = INTERFACE_CAPABILITIES.marketData;
  return {
    klinesHaveStartTime: profile?.capabilities.klinesHaveStartTime ?? klinesHaveStartTime,
  };
}
