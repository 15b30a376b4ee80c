import type { CaseKind, Draw, Outcome } from './plan.js';
import type { Passed } from './recording-proxy.js';
import { pause, signal, type Rig } from './rig.js';

/** A bot that is gone needs its guard process, or somebody who starts it again, within this: it is waited for longer, to see how long it takes. */
const PATIENCE_MS = 60_000;
/** A ban that does not say how long it lasts is taken for one of five minutes. */
const BAN_PATIENCE_MS = 400_000;
/** From one beat of the bot to the next: what is heard of it last is no older. */
const BEAT_MS = 600;
/** What is promised after a death (docs/guarantee.md), with the interval at which stops of a pair are sampled. */
export const MOST_AFTER_DEATH_MS = 5_000 + 1_000;

/** `nth`: how many cases of its kind come before this one. */
export type Act = (rig: Rig, draw: Draw, nth: number) => Promise<Omit<Outcome, 'closedMs'>>;
type Death = Extract<
  CaseKind,
  'kill' | 'kill-fill' | 'kill-cancel' | 'both' | 'takeover' | 'hand-back'
>;

/** Ends of processes. Who held something before holds it after it, or has closed it. */
export const DEATHS: Readonly<Record<Death, Act>> = {
  kill: async (rig, draw) => {
    await pause(draw(BEAT_MS));
    return naked(rig, 'kill', end(rig));
  },

  // Between the execution of an entry and the first look at its stop, or before the answer.
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
    // From the execution on, which the venue tells the moment it has taken the order.
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

  // Nobody is left: whoever starts it again does.
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

  // The bot that takes back is ended as it does: its own guard process takes over.
  'hand-back': async (rig, draw) => {
    const first = end(rig);
    await sampleAfter(rig, first);
    rig.start();
    await pause(draw(5_000));
    const at = end(rig);
    return naked(rig, 'hand-back', at);
  },
};

/** Ends the bot's process at once. Returns when. */
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
 * Undefined where the stop had fired before, and its order has closed the position: nothing is left to be watched, until the next entry. Where it fired long
 * before, and what was wanted next never arrived, nobody has anything to look at afterwards.
 */
async function sampleAfter(
  rig: Rig,
  atMs: number,
  patienceMs = PATIENCE_MS,
): Promise<number | undefined> {
  const sample = rig.firstSampleAfter(atMs, patienceMs);
  if (!rig.isNear) return sample;
  if (wasLeft(rig, atMs)) {
    // Nobody waits for it.
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

/** Whether the last order that the exchange carried out before an instant was the exit, also where its answer was cut off. */
function wasLeft({ proxy, heldSince }: Rig, atMs: number): boolean {
  const last = proxy.passed.findLast(
    ({ atMs: sentMs, order, doneMs }) =>
      order?.isMarket === true && sentMs >= heldSince && doneMs !== undefined && doneMs <= atMs,
  );
  return last?.order?.side === 'SELL';
}
