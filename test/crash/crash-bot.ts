/**
 * A trading bot in a process of its own, for the crash test: it ends itself with SIGKILL at a boundary, or is ended from outside. Told to
 * stop, it cancels its orders, and says what it believes.
 */
import { connectLive, createLiveBot, createProcessQueue } from '../../src/assembly/index.js';
import { Secret } from '../../src/client/index.js';
import { formatFixed, formatUtc } from '../../src/domain/index.js';
import { CandleStrategy } from '../../src/index.js';
import { SILENT_BOT_LOG } from '../../src/runtime/index.js';
import { loadConfig } from '../../src/cli/config/load-config.js';
import { requireSession } from '../../src/cli/live/require-session.js';
import { AcceleratedTime } from './accelerated-time.js';
import type { CrashOrder, CrashReport } from './crash-report.js';

/** Rests an order for most of eight candles, far below when it has nothing and far above when it has; with the eighth it trades at any price. */
class Rester extends CandleStrategy({}) {
  #count = 0;

  override onCandle(candle: { readonly close: number }): void {
    this.#count += 1;
    const isHolding = this.position.quantity.gt(0);
    if (this.#count % 8 === 0) {
      this.cancel({ label: 'rest' });
      if (isHolding) this.exit();
      else this.enterLong({ notional: '500' });
    } else if (this.#count % 8 === 1) {
      const limitPrice = (candle.close * (isHolding ? 1.03 : 0.97)).toFixed(2);
      if (isHolding) this.exit({ limitPrice, label: 'rest' });
      else this.enterLong({ quantity: '0.01' }, { limitPrice, label: 'rest' });
    }
  }
}

const order = JSON.parse(process.env['CRASH_ORDER'] ?? '{}') as CrashOrder;
const machine = new AcceleratedTime(order.time);
const queue = createProcessQueue(machine);
const loaded = await loadConfig({ file: order.config, cwd: process.cwd() });
const config = requireSession(loaded, 'live');
const connection = connectLive({
  config,
  credentials: { key: new Secret(order.key), secret: new Secret(order.secret) },
  machine,
  random: Math.random,
  queue,
  timeouts: { connectMs: 600_000, headersMs: 600_000, bodyMs: 600_000, totalMs: 1_200_000 },
});

let seen = 0;
const bot = await createLiveBot({
  config,
  strategyClass: Rester,
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
process.on('message', (message) => {
  if (message === 'report') process.send?.(report());
  else
    void bot.stop('cancel').then((end) => {
      process.send?.({ ...report(), end: end.kind === 'stopped' ? 'stopped' : end.error.message });
      process.disconnect();
      void connection.close();
    });
});
void bot.ended.then((end) => {
  if (end.kind === 'failed') process.send?.({ failure: end.error.message });
});
await bot.start();
process.send?.({ started: true });

function report(): CrashReport {
  const { engine } = bot;
  return {
    at: formatUtc(connection.time.now()),
    orders: engine.orders.map(({ request, status, filledQuantity, venueOrderId }) => ({
      clientOrderId: request.clientOrderId,
      venueOrderId,
      status,
      filled: formatFixed(filledQuantity),
    })),
    balances: Object.fromEntries(
      [...(engine.portfolio.balances().spot ?? [])].map(([asset, total]) => [
        asset,
        formatFixed(total),
      ]),
    ),
    reasons: bot.status().reasons,
  };
}
