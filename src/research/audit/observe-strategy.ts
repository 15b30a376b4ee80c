import type { StrategyClass, StrategyContext } from '../../strategy/index.js';

/** A strategy that is looked at while it runs. */
export interface ObservedStrategy {
  /** Extends the strategy's class; of each run it makes one instance, or two where its warm-up is listed. */
  readonly strategyClass: StrategyClass;
  /** Numbers, and values of indicators, in the fields of the instance that was made last. */
  readonly fields: () => Readonly<Record<string, number>>;
  readonly drawsRandom: () => boolean;
}

/** Looks at a strategy without changing what it does; with `leastWarmup` it hears at least so many candles before it may trade. */
export function observeStrategy(observed: StrategyClass, leastWarmup = 0): ObservedStrategy {
  let instance: object | undefined;
  let draws = false;
  const Observed = class extends observed {
    constructor(context: StrategyContext) {
      // What is drawn is counted where it is asked for, whatever the strategy calls it.
      super(
        new Proxy(context, {
          get: (target, name) => {
            if (name === 'random') draws = true;
            const value: unknown = Reflect.get(target, name, target);
            return typeof value === 'function' ? (value.bind(target) as unknown) : value;
          },
        }),
      );
      // eslint-disable-next-line @typescript-eslint/no-this-alias -- its fields are looked at later
      instance = this;
      if (this.warmup < leastWarmup)
        Object.defineProperty(this, 'warmup', { value: leastWarmup, enumerable: true });
    }
  };
  Object.defineProperty(Observed, 'name', { value: observed.name });
  return {
    strategyClass: Observed,
    fields: () => (instance === undefined ? {} : numbersOf(instance)),
    drawsRandom: () => draws,
  };
}

function numbersOf(instance: object): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(instance).flatMap(([name, held]: [string, unknown]) => {
      const value =
        typeof held === 'object' && held !== null && 'value' in held ? held.value : held;
      return typeof value === 'number' && name !== 'warmup' ? [[name, value]] : [];
    }),
  );
}
