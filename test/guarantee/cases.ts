import type { ChildProcess } from 'node:child_process';
import { DEATHS, end } from './deaths.js';
import { OUTAGES } from './outages.js';
import type { Case, Draw, Outcome } from './plan.js';
import { pause, type Rig } from './rig.js';

/** Time for the price to cross a near stop and for the stop to be sampled after that. */
const CROSSING_MS = 240_000;
/** At a shorter interval the exchange would refuse the calls as too many. */
const LOOK_MS = 500;
/**
 * An exit without an answer must be proved absent before another is sent. It may arrive within the window of its timestamp, and must show 10 s after that. Another
 * reading 10 s later must not contain it either. Readings start again 5 s after a cut.
 * A restarted bot does not know when the previous one ended.
 */
const MOST_LOST_MS = 5_000 + 5_000 + 10_000 + 10_000 + 1_000;
const ACTS = { ...DEATHS, ...OUTAGES };

/** Carries a case out. Before it the bot holds a position, and after it the bot runs and holds a position again. */
export async function carryOut(
  { kind, nth, isNear }: Case,
  rig: Rig,
  draw: Draw,
): Promise<Outcome> {
  await rig.untilHolding();
  const since = entryOf(rig);
  rig.heldSince = since;
  const crossing = isNear ? watchPrice(rig) : undefined;
  try {
    const outcome = await ACTS[kind](rig, draw, nth);
    if (crossing === undefined) {
      await recover(rig);
      return outcome;
    }
    const back = performance.now();
    const closing = await rig.untilPassed(
      ({ atMs, order, answeredMs }) =>
        atMs > since && order?.side === 'SELL' && answeredMs !== undefined,
      { what: 'exit at the stop', withinMs: CROSSING_MS },
    );
    const answeredMs = closing.answeredMs ?? closing.atMs;
    const beyondMs = crossing.longestBeyond(back - (outcome.nakedMs ?? 0), answeredMs);
    // If the stop fired before this watch saw the price beyond it, only the time of its order counts.
    const closedMs = Math.max(beyondMs, answeredMs - closing.atMs);
    await recover(rig);
    const cause = `${outcome.cause} near`;
    const isExitLost = rig.proxy.passed.some(
      ({ atMs, order, answeredMs }) =>
        atMs > since && order?.side === 'SELL' && answeredMs === undefined,
    );
    if (!isExitLost) return { ...outcome, cause, closedMs };
    return { ...outcome, cause: `${cause}, exit lost`, mostMs: MOST_LOST_MS, closedMs };
  } finally {
    crossing?.stop();
  }
}

/** When the entry of the position was sent. A near stop may fire while the bot is asked for its positions. */
function entryOf({ proxy }: Rig): number {
  return Math.max(
    0,
    ...proxy.passed.filter(({ order }) => order?.side === 'BUY').map(({ atMs }) => atMs),
  );
}

/** Waits until the bot runs and holds a position again. Confirms as the operator whatever the bot asks for. */
async function recover(rig: Rig): Promise<void> {
  const last = performance.now() + 120_000;
  for (;;) {
    try {
      await rig.untilHolding(15_000);
      return;
    } catch (error: unknown) {
      if (performance.now() > last) throw error;
      await rig.tell('resume');
      if (hasEnded(rig.bot?.child)) end(rig);
    }
  }
}

function hasEnded(child: ChildProcess | undefined): boolean {
  return child !== undefined && (child.exitCode !== null || child.signalCode !== null);
}

interface PriceWatch {
  /**
   * The longest time that the price stayed beyond its stop, counted from `sinceMs`, when the price could be read again. A price that comes back between two samples
   * is seen by no stop.
   */
  longestBeyond(sinceMs: number, untilMs: number): number;
  stop(): void;
}

/** Reads the price while the exchange answers, and the stop while the bot answers. The stop trails the highest sampled price. */
function watchPrice(rig: Rig): PriceWatch {
  const looks: { readonly atMs: number; readonly isBeyond: boolean }[] = [];
  let isOver = false;
  let stop = 0;
  const lookAtPrice = async (): Promise<void> => {
    while (!isOver) {
      const guard = (await rig.tell('status'))?.guards[0];
      stop = Math.max(stop, Number(guard?.trailingStop ?? 0));
      const last = await rig.exchange.last();
      if (last !== undefined) looks.push({ atMs: performance.now(), isBeyond: last <= stop });
      await pause(LOOK_MS);
    }
  };
  void lookAtPrice();
  return {
    longestBeyond: (sinceMs, untilMs) => {
      const isBeyond = looks.findLast(({ atMs }) => atMs <= sinceMs)?.isBeyond === true;
      let from = isBeyond ? sinceMs : Number.POSITIVE_INFINITY;
      let longest = 0;
      for (const look of looks) {
        if (look.atMs <= sinceMs || look.atMs > untilMs) continue;
        if (look.isBeyond) from = Math.min(from, look.atMs);
        else {
          longest = Math.max(longest, look.atMs - from);
          from = Number.POSITIVE_INFINITY;
        }
      }
      return Math.max(longest, untilMs - from);
    },
    stop: () => {
      isOver = true;
    },
  };
}
