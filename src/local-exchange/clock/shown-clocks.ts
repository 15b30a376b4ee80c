import type { Clock, EpochMs } from '../../domain/index.js';
import type { FaultPlan } from '../faults/fault-plan.js';
import type { MarketTime } from './market-time.js';

interface ShownClocksOptions {
  readonly marketTime: MarketTime;
  /** The clock of requests. */
  readonly transport: Clock;
  /** Faults that shift the clocks while they are in force. */
  readonly faults: FaultPlan;
  /** Which clock the time endpoints show. @defaultValue 'market' */
  readonly shownClock?: 'market' | 'transport' | undefined;
}

/** The exchange's clocks as its clients see them: right, unless a fault shifts them. */
export class ShownClocks {
  readonly #options: ShownClocksOptions;

  constructor(options: ShownClocksOptions) {
    this.#options = options;
  }

  /** The time that the time endpoints show at an instant of the market. */
  shown(marketTime: EpochMs): EpochMs {
    const { shownClock, transport } = this.#options;
    return this.#shift(shownClock === 'transport' ? transport.now() : marketTime);
  }

  /** Clocks that a client may follow: the exchange's published clock and, if market time is not realtime, also the transport's. */
  published(): readonly { readonly from: EpochMs; readonly to: EpochMs }[] {
    const { marketTime, transport } = this.#options;
    const from = this.#shift(marketTime.now());
    const first = { from, to: from + marketTime.idleMs() };
    if (marketTime.mode === 'realtime') return [first];
    const now = this.#shift(transport.now());
    return [first, { from: now, to: now }];
  }

  #shift(time: EpochMs): EpochMs {
    const { faults, transport } = this.#options;
    if (faults.isEmpty) return time;
    const now = transport.now();
    let shown = time;
    for (const { id, rule } of faults.lasting('clock-skew', now)) {
      shown += rule.offsetMs;
      faults.fire(id);
    }
    for (const { id, rule, since } of faults.lasting('clock-drift', now)) {
      shown += Math.round(((now - since) * rule.ppm) / 1_000_000);
      faults.fire(id);
    }
    return shown;
  }
}
