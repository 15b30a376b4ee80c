import type { CaseKind, Draw, Outcome } from './plan.js';
import type { Passed } from './recording-proxy.js';
import { pause, signal, type Rig } from './rig.js';

/** A position of a dead bot must be watched again within this time. It is longer than the promise, so that a late sample can be measured. */
const PATIENCE_MS = 60_000;
/** A ban without a stated length counts as five minutes. */
const BAN_PATIENCE_MS = 400_000;
/** Time between two beats of the bot. */
const BEAT_MS = 600;
/** The promise after a death (docs/guarantee.md), plus the sampling interval of stops on a pair. */
export const MOST_AFTER_DEATH_MS = 5_000 + 1_000;

/** `nth`: the number of earlier cases of this kind. */
export type Act = (rig: Rig, draw: Draw, nth: number) => Promise<Omit<Outcome, 'closedMs'>>;
type Death = Extract<
  CaseKind,
  'kill' | 'kill-fill' | 'kill-cancel' | 'both' | 'takeover' | 'hand-back'
>;

/** Ends of processes. A position must still be held afterwards, or its exit must have filled. */
export const DEATHS: Readonly<Record<Death, Act>> = {
  kill: async (rig, draw) => {
    await pause(draw(BEAT_MS));
    return naked(rig, 'kill', end(rig));
  },

  // Kills between the fill of an entry and the first sample of its stop, or before the answer.
  'kill-fill': async (rig, draw) => {
    await rig.tell('flatten');
    await rig.untilFlat();
    const since = performance.now();
    await rig.tell('resume');
    const entry = await rig.untilPassed(
      ({ atMs, order }) => atMs > since && order?.side === 'BUY' && order.isMarket,
      { what: 'entry', withinMs: PATIENCE_MS },
    );
    await pause(draw(120));
    end(rig);
    // Counts from the fill. The venue fills the order as soon as it accepts it.
    return naked(rig, 'kill-fill', entry.atMs);
  },

  'kill-cancel': async (rig, draw) => {
    const since = performance.now();
    await rig.untilPassed(
      ({ atMs, method, path }) =>
        atMs > since &&
        method === 'POST' &&
        (path.endsWith('/cancel') || path.endsWith('/batchCancel')),
      { what: 'cancel', withinMs: PATIENCE_MS },
    );
    await pause(draw(150));
    return naked(rig, 'kill-cancel', end(rig));
  },

  // Kills both processes. Then the rig starts the bot again.
  both: async (rig, draw) => {
    await pause(draw(BEAT_MS));
    const { bot } = rig;
    end(rig);
    signal(bot?.guard, 'SIGKILL');
    await pause(100 + draw(900));
    const at = performance.now();
    rig.start();
    return naked(rig, 'both', at);
  },

  takeover: async (rig, draw) => {
    const { bot } = rig;
    end(rig);
    await pause(draw(2_000));
    signal(bot?.guard, 'SIGKILL');
    await pause(100);
    const at = performance.now();
    rig.start();
    return naked(rig, 'takeover', at);
  },

  // Kills the bot while it takes over again. Its own guard process takes over.
  'hand-back': async (rig, draw) => {
    const first = end(rig);
    await sampleAfter(rig, first);
    rig.start();
    await pause(draw(5_000));
    const at = end(rig);
    return naked(rig, 'hand-back', at);
  },
};

/** Kills the bot's process at once. Returns the time. */
export function end(rig: Rig): number {
  const at = performance.now();
  rig.bot?.child.kill('SIGKILL');
  rig.bot = undefined;
  return at;
}

export async function naked(
  rig: Rig,
  cause: string,
  atMs: number,
  most: number | 'free' = MOST_AFTER_DEATH_MS,
): Promise<Omit<Outcome, 'closedMs'>> {
  const isFree = most === 'free';
  const sample = await sampleAfter(rig, atMs, isFree ? BAN_PATIENCE_MS : PATIENCE_MS);
  const nakedMs = sample === undefined ? undefined : sample - atMs;
  return { cause, nakedMs, mostMs: isFree ? undefined : most };
}

/**
 * The time of the first sample after a death. Undefined if the stop had fired before and its order has closed the position, because then there is nothing to
 * watch until the next entry. The same if the exit came long before, and the next entry never arrived.
 */
async function sampleAfter(
  rig: Rig,
  atMs: number,
  patienceMs = PATIENCE_MS,
): Promise<number | undefined> {
  const sample = rig.firstSampleAfter(atMs, patienceMs);
  if (!rig.isNear) return sample;
  if (wasLeft(rig, atMs)) {
    // No caller awaits this promise.
    sample.catch(() => undefined);
    return undefined;
  }
  const isExit = ({ order, answeredMs }: Passed): boolean =>
    order?.side === 'SELL' && answeredMs !== undefined;
  const closing = rig
    .untilPassed((one) => isExit(one) && one.atMs > atMs - 3_000, {
      what: 'exit',
      withinMs: patienceMs,
    })
    .then(() => undefined);
  try {
    return await Promise.any([sample, closing]);
  } catch (error: unknown) {
    if (rig.proxy.passed.some((one) => isExit(one) && one.atMs > rig.heldSince)) return undefined;
    throw error;
  }
}

/** Whether the last market order that the exchange filled before an instant was the exit, even if its answer was cut off. */
function wasLeft({ proxy, heldSince }: Rig, atMs: number): boolean {
  const last = proxy.passed.findLast(
    ({ atMs: sentMs, order, doneMs }) =>
      order?.isMarket === true && sentMs >= heldSince && doneMs !== undefined && doneMs <= atMs,
  );
  return last?.order?.side === 'SELL';
}
