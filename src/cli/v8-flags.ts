/**
 * Flags of V8 for garbage collection and compilation, where the defaults do not suit runs. Set them before the code that they concern is compiled,
 * best at the start.
 */

/** From this version on, V8 decides by counted calls which functions it compiles for speed; before, by the bytes of code that have run. */
const COUNTS_CALLS = 12;

/** Sets a flag. `node:v8` is not imported, because help, which sets no flag, would load it. */
function setFlagsFromString(flag: string): void {
  process.getBuiltinModule('node:v8').setFlagsFromString(flag);
}

/**
 * Switches off pretenuring. V8 allocates a kind of objects in the old space once most of them have survived a collection, and only full collections
 * free that space. Candles of a run over many series look like this, and so do the parts that each run of a sweep makes once: everything of a
 * finished run would stay there. A backtest of 100 series then takes twice the memory and half as long again.
 */
export function keepYoungObjectsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/**
 * Makes full collections rare. V8 starts one as soon as the heap has grown by a third since the last, while that takes a small part of the time. A thread of a
 * sweep mostly holds candles, which other threads mark each time, on cores that runs need. With this flag the heap may grow to four times its size first.
 */
export function collectSeldomInFull(): void {
  setFlagsFromString('--heap-growing-percent=300');
}

/**
 * Lets V8 inline more. V8 inlines only a limited amount of code into a function. The path of an order has some sixty small functions; with four times the limit
 * most of them become one piece of code. Compiling takes a tenth of a second longer, which a sweep and a very long run regain, but a shorter run does not. V8 does not count calls
 * of getters, so they come last, when the limit is used up: the value of an indicator, read with each candle, would cost a call and a new object for its
 * number. So functions as small as getters are always inlined.
 */
export function compileOrdersWhole(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=4000');
  setFlagsFromString('--max-inlined-bytecode-size-small=80');
}

/**
 * Stops V8 from inlining `map` and `filter`. V8 inlines them into functions that call them often, and their results then are lists of another kind to the
 * compiler. Each run of a sweep makes its parts once, so this happens after some hundred runs: all code that reads such lists is then discarded and compiled
 * again for lists of both kinds, which costs a tenth of the speed for good.
 */
export function keepListsAlike(): void {
  setFlagsFromString('--no-turbo-inline-array-builtins');
}

/**
 * Collects young objects on one thread instead of one per core. In the first half second of a run the other threads compile, and few objects of a run survive a
 * collection: one thread takes half a millisecond for it, and does not wait. A run takes 2 % less processor time.
 */
export function collectYoungAlone(): void {
  setFlagsFromString('--no-parallel-scavenge');
}

/** Number of candles from which early compilation of a run is worthwhile. A shorter run ends before it would help. */
const LONG_RUN = 100_000;
/** Number of candles from which {@link compileOrdersWhole} gains a run more time than it takes: 7 % with four million. With two million it gains nothing. */
const VERY_LONG_RUN = 3_000_000;
/** Number of progress reports of a run during which its code is compiled early. By then V8 has requested most functions on an order's path. */
const EARLY_STEPS = 4;
const EARLY_BUDGET = 5_000;
/** The default of V8. */
const USUAL_BUDGET = 67_584;

/**
 * Makes V8 compile a run as suits its length: a long run earlier, and a very long one in larger pieces ({@link compileOrdersWhole}).
 *
 * V8 requests the compilation of a function for speed after some hundred kilobytes of its code have run. The path of an order has three hundred functions.
 * Until the last of them is requested, a run spends a tenth of a second in slow code, while the compiling thread is idle. During the first orders of a long
 * run a smaller budget is enough. Not for longer: then V8 would also compile rarely called functions, and important ones would wait. The V8 of Node 22 and
 * later has no such flag.
 *
 * Returns a function that receives the progress of one run.
 */
export function compileByLength(): (progress: { readonly total: number }) => void {
  const hasBudget = Number.parseInt(process.versions.v8, 10) < COUNTS_CALLS;
  let steps = 0;
  return ({ total }) => {
    if (steps === 0 && total >= VERY_LONG_RUN) compileOrdersWhole();
    if (hasBudget && total >= LONG_RUN) {
      if (steps === 0) setFlagsFromString(`--interrupt-budget=${String(EARLY_BUDGET)}`);
      if (steps === EARLY_STEPS) setFlagsFromString(`--interrupt-budget=${String(USUAL_BUDGET)}`);
    }
    steps += 1;
  };
}

/**
 * Makes V8 compile less. V8 compiles a function for speed once it has run for a while. The work after the candles, for the trades and the text of a
 * result, runs some thousand times: compiling it takes more processor time than it saves. Call this after the last replay of a process. The V8 of
 * Node 22 and later counts calls, has no such flag, and would print a message on stderr.
 */
export function compileSeldom(): void {
  if (Number.parseInt(process.versions.v8, 10) < COUNTS_CALLS) {
    setFlagsFromString('--interrupt-budget=1000000');
  }
}
