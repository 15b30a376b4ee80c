import { pause, signal, type Rig } from './rig.js';

/** What happens to a bot that holds something with a stop. */
export const CASES = ['kill', 'kill-at-entry', 'stop', 'both', 'takeover', 'hand-back'] as const;
export type CaseKind = (typeof CASES)[number];

/** What became of a case. */
export interface Outcome {
  readonly kind: CaseKind;
  /** From when nothing watched the stop to the first price that was asked for again. */
  readonly nakedMs: number;
}

/** A bot that is gone needs its guard process, or somebody who starts it again, within this. */
const PATIENCE_MS = 30_000;
/** From one beat of the bot to the next: what is heard of it last is no older. */
const BEAT_MS = 600;

type Draw = (mostMs: number) => number;

/** Carries a case out. The rig's bot holds something before it, and runs and holds again after it. */
export async function carryOut(kind: CaseKind, rig: Rig, draw: Draw): Promise<Outcome> {
  await pause(draw(BEAT_MS));
  const nakedMs = await ACTS[kind](rig, draw);
  if (rig.bot === undefined) rig.start();
  await rig.untilHolding();
  return { kind, nakedMs };
}

const ACTS: Readonly<Record<CaseKind, (rig: Rig, draw: Draw) => Promise<number>>> = {
  kill: async (rig) => {
    const at = end(rig);
    const naked = (await rig.firstSampleAfter(at, PATIENCE_MS)) - at;
    await untilGuarded(rig);
    return naked;
  },

  'kill-at-entry': async (rig, draw) => {
    await rig.run('flatten', 'bot.yaml');
    await rig.untilFlat();
    const since = performance.now();
    await rig.run('resume', 'bot.yaml');
    await orderAfter(rig, since);
    await pause(draw(120));
    const at = end(rig);
    const naked = (await rig.firstSampleAfter(at, PATIENCE_MS)) - at;
    await untilGuarded(rig);
    return naked;
  },

  stop: async (rig) => {
    const { bot } = rig;
    const at = performance.now();
    bot?.child.kill('SIGSTOP');
    await new Promise<void>((resolve) => bot?.child.once('exit', () => resolve()));
    rig.bot = undefined;
    const naked = (await rig.firstSampleAfter(at, PATIENCE_MS)) - at;
    await untilGuarded(rig);
    return naked;
  },

  // Nobody is left: whoever starts it again does.
  both: async (rig) => {
    const { bot } = rig;
    end(rig);
    signal(bot?.guard, 'SIGKILL');
    await pause(200);
    const at = performance.now();
    rig.start();
    return (await rig.firstSampleAfter(at, PATIENCE_MS)) - at;
  },

  takeover: async (rig, draw) => {
    const { bot } = rig;
    end(rig);
    await pause(draw(1_500));
    signal(bot?.guard, 'SIGKILL');
    await pause(200);
    const at = performance.now();
    rig.start();
    return (await rig.firstSampleAfter(at, PATIENCE_MS)) - at;
  },

  // The bot that takes back is ended as it does: its own guard process takes over.
  'hand-back': async (rig, draw) => {
    end(rig);
    await untilGuarded(rig);
    rig.start();
    await pause(draw(4_000));
    const at = end(rig);
    const naked = (await rig.firstSampleAfter(at, PATIENCE_MS)) - at;
    await untilGuarded(rig);
    return naked;
  },
};

/** Ends the bot's process at once. Returns when. */
function end(rig: Rig): number {
  const at = performance.now();
  rig.bot?.child.kill('SIGKILL');
  rig.bot = undefined;
  return at;
}

function untilGuarded(rig: Rig): Promise<unknown> {
  return rig.until('guard process', ({ guardedBy }) => guardedBy.process === 'guard', PATIENCE_MS);
}

async function orderAfter({ proxy }: Rig, sinceMs: number): Promise<void> {
  const last = performance.now() + PATIENCE_MS;
  while (
    !proxy.passed.some(({ atMs, clientOrderId }) => atMs > sinceMs && clientOrderId !== undefined)
  ) {
    if (performance.now() > last) throw new Error('no entry');
    await pause(2);
  }
}
