import type { BotControl, BotEnd, BotStatus, StopPolicy } from '../../../src/live/index.js';
import { createInstrumentId } from '../../../src/domain/index.js';

/** Noon of a day. */
const NOW = Date.UTC(2025, 5, 1, 12);

/** A bot's status with a value in every part. `over` replaces parts. */
export function aStatus(over: Partial<BotStatus> = {}): BotStatus {
  const instrumentId = createInstrumentId('spot', 'BTCUSDT');
  return {
    name: 'sma-crossover-btc',
    mode: 'live',
    state: 'running',
    since: NOW - 60_000,
    reasons: [],
    time: NOW,
    equity: { amount: '10012.5', currency: 'USDT' },
    profit: { amount: '12.5', currency: 'USDT' },
    warmUp: [
      {
        instrumentId,
        interval: '1h',
        missing: 219,
        candles: 518,
        indicators: [{ name: 'slow', weight: 0.0004 }],
      },
    ],
    streams: [
      { name: 'candles spot:BTCUSDT 1h', state: 'live', lastData: NOW - 90_000 },
      { name: 'depth spot:BTCUSDT', state: 'stale', lastData: undefined },
    ],
    positions: [{ instrumentId, direction: 'long', quantity: '0.25', isDust: false }],
    orders: [
      {
        clientOrderId: 'a1b2c3d4-7-0',
        instrumentId,
        side: 'sell',
        quantity: '0.25',
        filled: '0',
        limitPrice: '61000',
        status: 'open',
        cause: 'signal',
        label: undefined,
      },
    ],
    guardedBy: { process: 'bot', since: NOW - 120_000, standby: 'ready' },
    sampled: [],
    guards: [],
    triggers: [],
    worked: [],
    waiting: [],
    cancels: [],
    margins: [],
    debts: [],
    marginLevel: undefined,
    budgets: [{ name: 'futures', used: 3, limit: 20, windowMs: 2_000, restsUntil: undefined }],
    events: 1_234,
    commands: 12,
    isFlattening: false,
    reload: undefined,
    lastDecision: { time: NOW - 3_600_000, text: 'enter long spot:BTCUSDT' },
    ...over,
  };
}

/** A bot that only notes its calls. It ends when a test calls `end`, or at `stop`. */
export class FakeBot implements BotControl {
  readonly ended: Promise<BotEnd>;
  /** Calls of the operator, in order. */
  readonly told: string[] = [];
  /** Whether `stop` ends it. If false, a test ends it with `end`. */
  endsOnStop = true;
  #status: BotStatus;
  #end: (end: BotEnd) => void = () => undefined;

  constructor(over: Partial<BotStatus> = {}) {
    this.#status = aStatus(over);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get name(): string {
    return this.#status.name;
  }

  status(): BotStatus {
    return this.#status;
  }

  become(over: Partial<BotStatus>): void {
    this.#status = { ...this.#status, ...over };
  }

  pause(): void {
    this.told.push('pause');
    this.become({ state: 'paused', reasons: ['paused by the operator'] });
  }

  resume(): void {
    this.told.push('resume');
    this.become({ state: 'running', reasons: [] });
  }

  halt(text: string): void {
    this.told.push(`halt: ${text}`);
    this.become({ state: 'halted', reasons: [text] });
  }

  flatten(): void {
    this.told.push('flatten');
    this.become({ state: 'halted', reasons: ['flattened'] });
  }

  restartStrategy(): void {
    this.told.push('restart-strategy');
    this.become({ state: 'running', reasons: [] });
  }

  clearTriggers(ids: readonly string[]): void {
    this.told.push(`clear-triggers: ${ids.join(' ')}`);
  }

  stop(policy: StopPolicy): Promise<BotEnd> {
    this.told.push(`stop: ${policy}`);
    if (this.endsOnStop) this.end({ kind: 'stopped' });
    return this.ended;
  }

  end(end: BotEnd): void {
    this.become({ state: 'stopped' });
    this.#end(end);
  }
}
