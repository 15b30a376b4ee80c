/**
 * Has the clock of this thread go so many milliseconds wrong from now on: an audit runs a strategy at another time of the world. What took the clock before
 * keeps the right one. Returns what sets it right again.
 */
export function shiftClock(offsetMs: number): () => void {
  const Real = Date;
  const Shifted = class extends Real {
    constructor(...given: readonly unknown[]) {
      if (given.length === 0) super(Real.now() + offsetMs);
      else super(...(given as [number]));
    }

    // Own members: whoever watches the clock copies those, and not what is inherited.
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
