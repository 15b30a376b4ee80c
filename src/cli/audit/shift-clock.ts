/**
 * Makes the clock of this thread wrong by `offsetMs` from now on, so that an audit can run a strategy at another wall-clock time. Code that took the clock
 * before keeps the right one. Returns a function that sets the clock right again.
 */
export function shiftClock(offsetMs: number): () => void {
  const Real = Date;
  const Shifted = class extends Real {
    constructor(...given: readonly unknown[]) {
      if (given.length === 0) super(Real.now() + offsetMs);
      else super(...(given as [number]));
    }

    // Own members: the code that watches the clock copies own members, and no inherited ones.
    static override readonly UTC = Real.UTC;
    static override readonly parse = Real.parse;

    static override now(): number {
      return Real.now() + offsetMs;
    }
  };
  Object.defineProperty(Shifted, 'name', { value: 'Date' });
  globalThis.Date = Shifted as DateConstructor;
  return () => {
    globalThis.Date = Real;
  };
}
