import { drawOf, turnOf, type CaseKind } from './plan.js';
import { end, MOST_AFTER_DEATH_MS, naked, type Act } from './deaths.js';
import { JOURNAL, pause, signal, type Rig } from './rig.js';

/** The promise after the end of a cut, plus the sampling interval of stops on a pair. */
const MOST_AFTER_CUT_MS = 5_000 + 1_000;
/** The promise while a bot lives: the sampling interval of a pair, a late sample, and the time of an answer. */
const MOST_ALIVE_MS = 3_000;
const FAULT_MS = 8_000;
/** How long processes are stopped, in s. */
const STOPS_S = [2, 10, 60] as const;

/** Faults of the exchange. Each affects all calls for a while. `isFree`: the venue decides how long a limit or a ban then lasts, so no time is promised. */
const FAULTS: readonly {
  readonly rule: Readonly<Record<string, unknown>>;
  readonly isFree?: true;
}[] = [
  { rule: { fault: 'latency', delayMs: 500, jitterMs: 2_000 } },
  { rule: { fault: 'reset-before', probability: 0.5 } },
  { rule: { fault: 'reset-after', probability: 0.5 } },
  { rule: { fault: 'answer-lost', probability: 0.5 } },
  { rule: { fault: 'server-error', status: 502 } },
  { rule: { fault: 'timeout-after', probability: 0.5 } },
  { rule: { fault: 'rate-limited', count: 3 }, isFree: true },
  { rule: { fault: 'banned', count: 1 }, isFree: true },
  { rule: { fault: 'truncated-json' } },
  { rule: { fault: 'malformed-json' } },
  { rule: { fault: 'html', status: 200 } },
  { rule: { fault: 'maintenance' } },
  { rule: { fault: 'hidden-order', hiddenMs: 5_000 } },
  { rule: { fault: 'cancel-fills' } },
  { rule: { fault: 'many-fills', pieces: 3 } },
  { rule: { fault: 'unordered-klines' } },
  { rule: { fault: 'clock-skew', offsetMs: 1_500 } },
  { rule: { fault: 'connection-refused', durationMs: FAULT_MS } },
];

type Outage = Extract<
  CaseKind,
  'exchange' | 'cut' | 'stop' | 'suspend' | 'fault' | 'plugin' | 'rules'
>;

/** Cases that do not end the bot, or end it only because it was stopped for too long. */
export const OUTAGES: Readonly<Record<Outage, Act>> = {
  exchange: async (rig, draw) => {
    await pause(draw(1_500));
    await rig.exchange.kill();
    await pause(draw(5_000));
    await rig.exchange.start();
    return naked(rig, 'exchange', performance.now(), MOST_AFTER_CUT_MS);
  },

  cut: async (rig, draw) => {
    await pause(draw(1_500));
    const [cutMs, isKilled] = [10_000 + draw(110_000), draw(1) < 1 / 3];
    const how = drawOf(draw, ['broken', 'silent'] as const);
    rig.proxy.cut = how;
    if (isKilled) {
      await pause(draw(cutMs / 2));
      end(rig);
    }
    await pause(cutMs);
    rig.proxy.cut = 'off';
    return naked(rig, `cut-${how}${isKilled ? '-kill' : ''}`, performance.now(), MOST_AFTER_CUT_MS);
  },

  // Stops the bot with an order on its way.
  stop: async (rig, _draw, nth) => {
    const stopS = turnOf(nth, STOPS_S);
    if (!rig.isNear) await untilOrder(rig);
    const { bot } = rig;
    const at = performance.now();
    bot?.child.kill('SIGSTOP');
    await pause(stopS * 1_000);
    bot?.child.kill('SIGCONT');
    if (stopS > 3) rig.bot = undefined;
    const most = stopS > 3 ? 3_500 + MOST_AFTER_DEATH_MS : stopS * 1_000 + MOST_ALIVE_MS;
    return naked(rig, `stop-${String(stopS)}`, at, most);
  },

  // Suspends the machine: both processes stop, and continue together.
  suspend: async (rig, _draw, nth) => {
    const stopS = turnOf(nth, STOPS_S);
    if (!rig.isNear) await untilOrder(rig);
    const { bot } = rig;
    bot?.child.kill('SIGSTOP');
    signal(bot?.guard, 'SIGSTOP');
    await pause(stopS * 1_000);
    bot?.child.kill('SIGCONT');
    signal(bot?.guard, 'SIGCONT');
    return naked(rig, `suspend-${String(stopS)}`, performance.now(), MOST_AFTER_CUT_MS);
  },

  fault: async (rig, draw, nth) => {
    const { rule, isFree } = turnOf(nth, FAULTS);
    const [isKilled, before] = [draw(1) < 1 / 3, draw(FAULT_MS / 2)];
    const name = String(rule['fault']);
    const lift = await rig.exchange.fault(rule);
    await pause(before);
    if (isKilled) end(rig);
    await pause(FAULT_MS - before);
    if (name !== 'connection-refused') await lift();
    const most = isFree === true ? 'free' : MOST_AFTER_CUT_MS;
    return naked(rig, `fault-${name}${isKilled ? '-kill' : ''}`, performance.now(), most);
  },

  plugin: async (rig, draw) => {
    const at = performance.now();
    await rig.tell('halt', 'fail');
    await rig.until('bot without its strategy', ({ state }) => state === 'strategy-failed', 10_000);
    await pause(3_000);
    const nakedMs = rig.longestGap(at, performance.now());
    const isKilled = draw(1) < 1 / 3;
    const killed = isKilled ? await naked(rig, 'plugin-kill', end(rig)) : undefined;
    if (isKilled) {
      rig.start();
      await rig.until(
        'bot without its strategy',
        ({ state, guardedBy }) => state === 'strategy-failed' && guardedBy.process === 'bot',
        60_000,
      );
    }
    // Resumes first, because a strategy that starts again receives halts in force.
    await rig.tell('resume');
    await rig.tell('restart-strategy');
    await rig.until('strategy', ({ state }) => state !== 'strategy-failed', 60_000);
    return killed ?? { cause: 'plugin', nakedMs, mostMs: MOST_ALIVE_MS };
  },

  // Fewer digits of quantities during a position, so that the exit is rounded by the new rules.
  rules: async (rig, draw) => {
    const lift = await rig.exchange.fault({
      fault: 'precision',
      instrument: 'spot:BTCUSDT',
      quantityPrecision: 3,
    });
    const isKilled = draw(1) < 1 / 2;
    const at = isKilled ? end(rig) : performance.now();
    const outcome = await naked(rig, isKilled ? 'rules-kill' : 'rules', at);
    await rig.until('answer', () => true, 30_000);
    await rig.tell('flatten');
    await untilLeft(rig);
    await lift();
    // If the bot ran on, it would notice the return of the old rules in the middle of another case.
    end(rig);
    return outcome;
  },
};

async function untilOrder(rig: Rig): Promise<void> {
  const since = performance.now();
  await rig.untilPassed(({ atMs, order }) => atMs > since && order !== undefined, {
    what: 'order',
    withinMs: 30_000,
  });
}

/** Waits until the position is closed. A guard process with nothing to guard ends, and no process answers. */
async function untilLeft(rig: Rig): Promise<void> {
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    const status = await rig.tell('status');
    if (status === undefined && rig.bot === undefined) return;
    if (status !== undefined && status.guards.length + status.orders.length === 0) return;
    await pause(50);
  }
  throw new Error(
    `${JOURNAL}: a position is left with the rules changed\n${rig.log.slice(-1_500)}`,
  );
}
