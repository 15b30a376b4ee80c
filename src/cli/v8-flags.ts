/** How V8 collects garbage and compiles, where its own way does not suit runs. To be said before what it concerns is compiled, best at the start. */

/** V8 of this version decides by calls what it compiles for speed; one before by the bytes of code that have run. */
const COUNTS_CALLS = 12;

/** Not imported: help, which says none, would load it. */
function setFlagsFromString(flag: string): void {
  process.getBuiltinModule('node:v8').setFlagsFromString(flag);
}

/**
 * V8 makes objects of a kind that has mostly outlived a collection where only full collections look, if they outlive the next or not. A run over
 * many series has candles that seem to be such, and what a run consists of is made once by each run of a sweep: there it keeps everything of a
 * run that is over. A backtest of 100 series then takes twice the memory and half as long again.
 */
export function keepYoungObjectsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/**
 * V8 collects in full as soon as a third more is kept than after the last time, where that takes a small part of the time. What a thread of a
 * sweep keeps is mostly its candles, which are marked by other threads each time, on cores that runs want: now it may keep four times as much.
 */
export function collectSeldomInFull(): void {
  setFlagsFromString('--heap-growing-percent=300');
}

/**
 * V8 compiles only so much of what a function calls into it. The way of an order goes through some sixty small functions; with four times as
 * much most of them become one piece of code. That takes a tenth of a second longer to compile, which one run does not win back and a sweep does.
 * Getters come last, because V8 does not count how often they are called, and nothing is left for them then: the value of an indicator, read with
 * each candle, costs a call and a new object for its number. What is as small as they are is always taken.
 */
export function compileOrdersWhole(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=4000');
  setFlagsFromString('--max-inlined-bytecode-size-small=80');
}

/**
 * V8 compiles `map` and `filter` into the functions that call them once those are called often, and what they return is then a list of another kind
 * to the compiler. What a run consists of is made once by each run of a sweep, so that this happens after some hundred runs: all that reads such
 * lists is thrown away then and compiled anew for lists of both kinds, which takes a tenth of the speed for good.
 */
export function keepListsAlike(): void {
  setFlagsFromString('--no-turbo-inline-array-builtins');
}

/**
 * Young objects are collected by as many threads as there are cores. In the first half second of a run the others compile, and little of a run outlives a
 * collection: one thread takes half a millisecond for it, and does not wait. A run takes 2 % less of the processor.
 */
export function collectYoungAlone(): void {
  setFlagsFromString('--no-parallel-scavenge');
}

/** Candles from which on the code of a run is worth compiling early: less is over before it would help. */
const LONG_RUN = 100_000;
/** How often a run says how far it is while its code is compiled early. By then most of an order's way has been asked for. */
const EARLY_STEPS = 4;
const EARLY_BUDGET = 5_000;
/** V8's own. */
const USUAL_BUDGET = 67_584;

/**
 * V8 asks for a function to be compiled for speed after some hundred kilobytes of its code have run. On the way of an order there are three hundred functions:
 * until the last of them has been asked for, a run takes a tenth of a second in slow code, while the thread that compiles has nothing to do. In the
 * first orders of a long run less is enough. Not for longer: then V8 compiles what is called seldom, and what matters waits for it.
 * Returns what is to be told of the progress of one run. The V8 of Node 22 and later has no such flag.
 */
export function compileEarly(): (progress: { readonly total: number }) => void {
  let steps = 0;
  return ({ total }) => {
    if (total < LONG_RUN || Number.parseInt(process.versions.v8, 10) >= COUNTS_CALLS) return;
    if (steps === 0) setFlagsFromString(`--interrupt-budget=${String(EARLY_BUDGET)}`);
    if (steps === EARLY_STEPS) setFlagsFromString(`--interrupt-budget=${String(USUAL_BUDGET)}`);
    steps += 1;
  };
}

/**
 * V8 compiles a function for speed once it has run for a while. What is left after the candles, trades and the text of a result, runs some thousand
 * times: to compile it takes more of the processor than it saves. To be said after the last replay of a process. The V8 of Node 22 and later counts
 * calls, has no such flag, and would say so on stderr.
 */
export function compileSeldom(): void {
  if (Number.parseInt(process.versions.v8, 10) < COUNTS_CALLS) {
    setFlagsFromString('--interrupt-budget=1000000');
  }
}
