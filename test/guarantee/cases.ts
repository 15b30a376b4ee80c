import type { ChildProcess } from 'node:child_process';
import { DEATHS, end } from './deaths.js';
import { OUTAGES } from './outages.js';
import type { Case, Draw, Outcome } from './plan.js';
import { pause, type Rig } from './rig.js';

/** How long the price may take to go through a near stop, and the stop to be looked at then. */
const CROSSING_MS = 240_000;
/** More often the exchange would take it for a flood. */
const LOOK_MS = 500;
/**
 * An exit without an answer has to be proved absent before another is sent: it may arrive for the window of its timestamp, must show 10 s after that, and is missing in a second
 * reading 10 s later. Readings go on 5 s after a cut.
 * A bot that is started again does not know when the one before has ended.
 */
const MOST_LOST_MS = 5_000 + 5_000 + 10_000 + 10_000 + 1_000;
const ACTS = { ...DEATHS, ...OUTAGES };

/** Carries a case out. The rig's bot holds something before it, and runs and holds again after it. */
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
    // A stop that fired before anybody else saw the price beyond it took the time of its order.
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

/** When the entry of what is held was sent: a near stop may be hit while the bot is asked what it holds. */
function entryOf({ proxy }: Rig): number {
  return Math.max(
    0,
    ...proxy.passed.filter(({ order }) => order?.side === 'BUY').map(({ atMs }) => atMs),
  );
}

/** Until the bot runs and holds again. What it asks its operator to see, it is told that it was seen. */
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
   * The longest time that the price was beyond the stop of then without coming back, of a time since it could be looked at again: a price that comes back between two samples
   * was seen by no stop.
   */
  longestBeyond(sinceMs: number, untilMs: number): number;
  stop(): void;
}

/** Looks at the price, where the exchange can be asked, and at the stop, which trails the highest price that was sampled, where the bot can. */
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
