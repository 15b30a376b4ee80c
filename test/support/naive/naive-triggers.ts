import { decimalFromFixed } from '../../../src/domain/index.js';
import type { ConditionalRequest } from '../../../src/simulator/index.js';
import { THIRD } from './naive-path.js';

/** A conditional order that waits. */
export interface NaiveTrigger {
  readonly request: ConditionalRequest;
  /** In ticks × {@link THIRD}. */
  readonly level: number;
  readonly firesBelow: boolean;
}

/** The table of DESIGN R10. */
const FIRES_BELOW = {
  'stop-loss': { sell: true, buy: false },
  'take-profit': { sell: false, buy: true },
  'chase-up': { sell: false, buy: false },
  'chase-down': { sell: true, buy: true },
} as const;

/** Conditional orders, oldest first. */
export class NaiveTriggers {
  waiting: readonly NaiveTrigger[] = [];

  add(request: ConditionalRequest): void {
    const level = levelOf(request);
    const firesBelow = FIRES_BELOW[request.trigger][request.order.side];
    this.waiting = [...this.waiting, { request, level, firesBelow }];
  }

  remove(trigger: NaiveTrigger): void {
    this.waiting = this.waiting.filter((one) => one !== trigger);
  }

  /** Triggers whose condition is true at a position of the path. */
  reached(path: number): readonly NaiveTrigger[] {
    return this.waiting.filter(({ level, firesBelow }) =>
      firesBelow ? path <= level : path >= level,
    );
  }
}

/** The code with which a condition is refused, or undefined. */
export function refusalOfTrigger(request: ConditionalRequest, path: number): string | undefined {
  const { order, trigger } = request;
  const does = `${order.side} ${order.action}`;
  const fits =
    trigger === 'chase-up'
      ? does === 'buy open'
      : trigger === 'chase-down'
        ? does === 'sell open'
        : order.action === 'close';
  if (!fits) return '-1014';
  const isTrue = FIRES_BELOW[trigger][order.side]
    ? path <= levelOf(request)
    : path >= levelOf(request);
  return isTrue ? '-2100' : undefined;
}

function levelOf({ triggerPrice }: ConditionalRequest): number {
  return decimalFromFixed(triggerPrice).times(100).toNumber() * THIRD;
}
