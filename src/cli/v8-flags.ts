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
 * V8 compiles a function for speed once it has run for a while. What is left after the candles, trades and the text of a result, runs some thousand
 * times: to compile it takes more of the processor than it saves. To be said after the last replay of a process. The V8 of Node 22 and later counts
 * calls, has no such flag, and would say so on stderr.
 */
export function compileSeldom(): void {
  if (Number.parseInt(process.versions.v8, 10) < COUNTS_CALLS) {
    setFlagsFromString('--interrupt-budget=1000000');
  }
}
