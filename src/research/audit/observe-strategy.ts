import type { StrategyClass, StrategyContext } from '../../strategy/index.js';

/** A strategy that is observed while it runs. */
export interface ObservedStrategy {
  /** Extends the strategy's class. A run makes one instance of it, or two if warm-ups are listed. */
  readonly strategyClass: StrategyClass;
  /** Numbers and indicator values in the fields of the newest instance. */
  readonly fields: () => Readonly<Record<string, number>>;
  readonly drawsRandom: () => boolean;
}

/** Observes a strategy without changing its actions. With `leastWarmup` it receives at least that many candles before it may trade. */
export function observeStrategy(observed: StrategyClass, leastWarmup = 0): ObservedStrategy {
  let instance: object | undefined;
  let draws = false;
  const Observed = class extends observed {
    constructor(context: StrategyContext) {
      // The proxy notices access to `random`, whatever the strategy calls the function.
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
