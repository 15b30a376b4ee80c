/**
 * A trading bot in a process of its own. It loads everything, waits for its order, and then runs. It ends itself with SIGKILL at a
 * boundary, or is ended from outside. After `stop`, it cancels its orders.
 */
import { connectLive, createLiveBot, createProcessQueue } from '../../src/assembly/index.js';
import { Secret } from '../../src/client/index.js';
import {
  contractPrice,
  formatFixed,
  formatUtc,
  type FuturesInstrument,
  type Holding,
} from '../../src/domain/index.js';
import { SILENT_BOT_LOG, type LiveBot } from '../../src/live/index.js';
import { loadConfig } from '../../src/config/load-config.js';
import { requireSession } from '../../src/bots/require-session.js';
import { VirtualTime } from '../support/virtual-time.js';
import type { BotMessage, BotRequest, CrashOrder, CrashReport, Vitals } from './crash-report.js';
import { RestlessTrader } from './restless-trader.js';

/** The time of the bot, moved by its parent. */
let machine = new VirtualTime();
let bot: LiveBot | undefined;

// Without its parent, no other process would end it.
process.once('disconnect', () => process.exit());
process.on('message', (request: BotRequest) => {
  if (request.kind === 'begin') {
    machine = new VirtualTime(request.order.now);
    run(request.order).catch((error: unknown) => {
      say({ kind: 'failed', text: String(error) });
    });
  } else if (request.kind === 'move') {
    void machine.advance(request.to - machine.now()).then(() => {
      say({ kind: 'moved' });
    });
  } else if (bot !== undefined) {
    if (request.kind === 'report') say(reportOf(bot));
    else if (request.kind === 'vitals') say(vitalsOf(bot));
    else if (request.kind === 'resume') bot.resume();
    else void bot.stop('cancel');
  }
});

async function run(order: CrashOrder): Promise<void> {
  const loaded = await loadConfig({ file: order.config, cwd: process.cwd() });
  const config = requireSession(loaded, 'live');
  const connection = connectLive({
    config,
    credentials: { key: new Secret(order.key), secret: new Secret(order.secret) },
    machine,
    random: Math.random,
    queue: createProcessQueue(machine),
    // The only timeout that runs in real time.
    timeouts: { connectMs: 60_000 },
  });
  let seen = 0;
  const created = await createLiveBot({
    config,
    strategyClass: RestlessTrader,
    sourceHash: 'crash-test',
    mode: 'live',
    journal: order.journal,
    source: { configFile: order.config, set: [] },
    connection,
    machine,
    log: SILENT_BOT_LOG,
    onBoundary: (boundary) => {
      if (boundary !== order.kill?.boundary) return;
      seen += 1;
      if (seen === order.kill.count) process.kill(process.pid, 'SIGKILL');
    },
  });
  bot = created;
  void created.ended.then(async (end) => {
    say(reportOf(created));
    say(
      end.kind === 'failed'
        ? { kind: 'failed', text: end.error.stack ?? end.error.message }
        : { kind: 'stopped' },
    );
    await connection.close();
    process.disconnect();
  });
  await created.start();
  say({ kind: 'started' });
}

function say(message: BotMessage): void {
  process.send?.(message);
}

function vitalsOf(of: LiveBot): Vitals {
  const { state, reasons, events } = of.status();
  const { orders, fills, refusals } = of.engine;
  globalThis.gc?.();
  return {
    kind: 'vitals',
    state,
    reasons,
    lastEvent: of.lastEvent,
    events,
    orders: orders.length,
    fills: fills.length,
    refusals: refusals.length,
    heapBytes: process.memoryUsage().heapUsed,
  };
}

function reportOf(of: LiveBot): CrashReport {
  const { engine } = of;
  const { portfolio } = engine;
  const { time, state, reasons } = of.status();
  return {
    kind: 'report',
    at: formatUtc(time),
    state,
    balances: Object.fromEntries(
      (['spot', 'futures'] as const).flatMap((account) =>
        [...(portfolio.balances()[account] ?? [])].map(([asset, total]) => [
          `${account} ${asset}`,
          formatFixed(total),
        ]),
      ),
    ),
    positions: Object.fromEntries(
      [...portfolio.instruments()].flatMap((account) => {
        const { instrument } = account;
        if (instrument.kind !== 'futures') return [];
        return (['long', 'short'] as const).map((direction) => [
          `${instrument.id} ${direction}`,
          describeHolding(instrument, account[direction].holding),
        ]);
      }),
    ),
    fills: engine.fills.length,
    kept: engine.keptState?.json,
    reasons,
  };
}

/** Contracts and their average price. */
function describeHolding(instrument: FuturesInstrument, { quantity, entryValue }: Holding): string {
  if (quantity === 0n) return '0';
  return `${formatFixed(quantity)} at ${formatFixed(contractPrice(instrument, quantity, entryValue))}`;
}
