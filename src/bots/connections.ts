import { connectLive, connectOwn, type LiveConnection } from '../assembly/index.js';
import type { CallQueue } from '../client/index.js';
import { planStops, type StopPlan } from '../venue/index.js';
import type { CreateBotsDeps, GuardSetup } from './bot-setup.js';

type ConnectionsDeps = Pick<CreateBotsDeps, 'time' | 'random' | 'isDryRun' | 'bans'> & {
  readonly queue: CallQueue;
  /** Lets the process handle events that came while it was busy. */
  readonly breathe: () => Promise<void>;
};

/** The connections of a process to its venues. Each is made when the first bot needs it. */
export class Connections {
  readonly #deps: ConnectionsDeps;
  readonly #stopPlan: StopPlan;
  readonly #made = new Map<string, Promise<LiveConnection>>();

  constructor(deps: ConnectionsDeps, setups: readonly Pick<GuardSetup, 'config'>[]) {
    this.#deps = deps;
    this.#stopPlan = planStops(setups.flatMap(({ config }) => config.instruments));
  }

  /** @throws as `connectLive`; errors of opening a venue of one's own. */
  of(setup: GuardSetup): Promise<LiveConnection> {
    const name = nameOf(setup);
    const connection = this.#made.get(name) ?? this.#open(setup);
    this.#made.set(name, connection);
    return connection;
  }

  async #open({ config, credentials, profile, openVenue }: GuardSetup): Promise<LiveConnection> {
    const { time: machine, random, isDryRun, bans, queue, breathe } = this.#deps;
    const stopPlan = this.#stopPlan;
    if (openVenue !== undefined)
      return connectOwn({ config, venue: await openVenue(), machine, isDryRun, stopPlan });
    return connectLive({
      ...{ config, credentials, machine, random, queue, isDryRun, bans, profile },
      ...{ stopPlan, breathe },
    });
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#made.values()].map(async (each) => (await each).close()));
  }
}

/** Bots with one key on one venue share its client, its limits and its market data. */
function nameOf({ config, credentials }: GuardSetup): string {
  const { path, export: name, options, spotUrl, futuresUrl } = config.venue;
  const key = credentials?.key.reveal();
  return JSON.stringify([key, path, path && [name, options], spotUrl, futuresUrl]);
}
