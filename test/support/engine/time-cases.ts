import {
  animationFrames,
  animationFrameScheduler,
  asapScheduler,
  asyncScheduler,
  audit,
  auditTime,
  buffer,
  bufferTime,
  debounce,
  debounceTime,
  delay,
  delayWhen,
  exhaustMap,
  generate,
  ignoreElements,
  interval,
  takeLast,
  map,
  merge,
  mergeMap,
  observeOn,
  of,
  queueScheduler,
  race,
  repeat,
  ReplaySubject,
  retry,
  sample,
  sampleTime,
  scheduled,
  shareReplay,
  skipUntil,
  subscribeOn,
  switchMap,
  take,
  takeUntil,
  tap,
  throttle,
  throttleTime,
  throwError,
  timeInterval,
  timeout,
  timer,
  timestamp,
  toArray,
  windowTime,
  type Observable,
} from 'rxjs';

import { START } from './engine.js';

/** Seconds since the start, and the emission then: a value, `|` for completion, or the name of an error. */
export type Seen = readonly [seconds: number, value: unknown];

/** Minutes at which the source of the cases emits. Its value is the minute. */
export const SOURCE_MINUTES: readonly number[] = [1, 2, 3, 6, 7];

/** An RxJS stream that depends on time, and its emissions within ten minutes. */
export interface TimeCase {
  readonly name: string;
  make(minutes$: Observable<number>): Observable<unknown>;
  readonly seen: readonly Seen[];
}

/** Streams that make their own values. */
export const TIME_SOURCES: readonly TimeCase[] = [
  {
    name: 'interval',
    make: () => interval(150_000).pipe(take(3)),
    seen: [
      [150, 0],
      [300, 1],
      [450, 2],
      [450, '|'],
    ],
  },
  {
    name: 'timer with one argument',
    make: () => timer(90_000),
    seen: [
      [90, 0],
      [90, '|'],
    ],
  },
  {
    name: 'timer with a period',
    make: () => timer(10_000, 250_000),
    seen: [
      [10, 0],
      [260, 1],
      [510, 2],
    ],
  },
  {
    name: 'timer with a date',
    make: () => timer(new Date(START + 70_500)),
    seen: [
      [70.5, 0],
      [70.5, '|'],
    ],
  },
  {
    name: 'timer with a date that has passed',
    make: () => timer(new Date(START - 70_500)),
    seen: [
      [0.001, 0],
      [0.001, '|'],
    ],
  },
  {
    name: 'interval of nothing, which is a millisecond',
    make: () => interval(0).pipe(take(2)),
    seen: [
      [0.001, 0],
      [0.002, 1],
      [0.002, '|'],
    ],
  },
  {
    name: 'interval of a broken number of milliseconds, cut off',
    make: () => interval(1_500.9).pipe(take(1)),
    seen: [
      [1.5, 0],
      [1.5, '|'],
    ],
  },
  {
    name: 'interval on asapScheduler',
    make: () => interval(60_000, asapScheduler).pipe(take(2)),
    seen: [
      [60, 0],
      [120, 1],
      [120, '|'],
    ],
  },
  {
    name: 'interval on animationFrameScheduler',
    make: () => interval(60_000, animationFrameScheduler).pipe(take(2)),
    seen: [
      [60, 0],
      [120, 1],
      [120, '|'],
    ],
  },
  {
    name: 'scheduled on asyncScheduler',
    make: () => scheduled(['a', 'b'], asyncScheduler),
    seen: [
      [0.001, 'a'],
      [0.002, 'b'],
      [0.003, '|'],
    ],
  },
  {
    name: 'scheduled on asapScheduler',
    make: () => scheduled(['a', 'b'], asapScheduler),
    seen: [
      [0, 'a'],
      [0, 'b'],
      [0, '|'],
    ],
  },
  {
    name: 'scheduled on queueScheduler',
    make: () => scheduled(['a', 'b'], queueScheduler),
    seen: [
      [0, 'a'],
      [0, 'b'],
      [0, '|'],
    ],
  },
  {
    name: 'scheduled on animationFrameScheduler',
    make: () => scheduled(['a', 'b'], animationFrameScheduler),
    seen: [
      [0.016, 'a'],
      [0.032, 'b'],
      [0.048, '|'],
    ],
  },
  {
    name: 'generate on asyncScheduler, which takes a turn to begin',
    make: () =>
      generate({
        initialState: 1,
        condition: (value) => value < 3,
        iterate: (value) => value + 1,
        scheduler: asyncScheduler,
      }),
    seen: [
      [0.002, 1],
      [0.003, 2],
      [0.004, '|'],
    ],
  },
  {
    name: 'animationFrames',
    make: () =>
      animationFrames().pipe(
        take(2),
        map((frame) => [frame.timestamp - START, frame.elapsed]),
      ),
    seen: [
      [0.016, [16, 16]],
      [0.032, [32, 32]],
      [0.032, '|'],
    ],
  },
  {
    name: 'repeat with a delay',
    make: () => of('again').pipe(repeat({ count: 3, delay: 40_000 })),
    seen: [
      [0, 'again'],
      [40, 'again'],
      [80, 'again'],
      [80, '|'],
    ],
  },
  {
    name: 'repeat with a delay from a notifier',
    make: () => of('again').pipe(repeat({ delay: (count) => timer(count * 100_000) }), take(3)),
    seen: [
      [0, 'again'],
      [100, 'again'],
      [300, 'again'],
      [300, '|'],
    ],
  },
  {
    name: 'retry with a delay',
    make: () => throwError(() => new RangeError()).pipe(retry({ count: 2, delay: 40_000 })),
    seen: [[80, 'RangeError']],
  },
  {
    name: 'retry with a delay from a notifier',
    make: () =>
      throwError(() => new RangeError()).pipe(
        retry({ count: 2, delay: (_error, count) => timer(count * 100_000) }),
      ),
    seen: [[300, 'RangeError']],
  },
  {
    name: 'race of two timers',
    make: () => race(timer(20_000).pipe(map(() => 'slow')), timer(10_000).pipe(map(() => 'fast'))),
    seen: [
      [10, 'fast'],
      [10, '|'],
    ],
  },
];

/** Time operators, applied to {@link SOURCE_MINUTES}. */
export const TIME_OPERATORS: readonly TimeCase[] = [
  {
    name: 'debounceTime, in which a value at the end of the pause comes before the timer',
    make: (minutes$) => minutes$.pipe(debounceTime(60_000)),
    seen: [
      [240, 3],
      [480, 7],
    ],
  },
  {
    name: 'debounce with timer',
    make: (minutes$) => minutes$.pipe(debounce(() => timer(60_000))),
    seen: [
      [240, 3],
      [480, 7],
    ],
  },
  {
    name: 'auditTime',
    make: (minutes$) => minutes$.pipe(auditTime(90_000)),
    seen: [
      [150, 2],
      [270, 3],
      [450, 7],
    ],
  },
  {
    name: 'audit with timer',
    make: (minutes$) => minutes$.pipe(audit(() => timer(90_000))),
    seen: [
      [150, 2],
      [270, 3],
      [450, 7],
    ],
  },
  {
    name: 'sampleTime, which sees a value of its own instant',
    make: (minutes$) => minutes$.pipe(sampleTime(90_000)),
    seen: [
      [90, 1],
      [180, 3],
      [360, 6],
      [450, 7],
    ],
  },
  {
    name: 'sample with interval',
    make: (minutes$) => minutes$.pipe(sample(interval(90_000))),
    seen: [
      [90, 1],
      [180, 3],
      [360, 6],
      [450, 7],
    ],
  },
  {
    name: 'throttleTime',
    make: (minutes$) => minutes$.pipe(throttleTime(90_000)),
    seen: [
      [60, 1],
      [180, 3],
      [360, 6],
    ],
  },
  {
    name: 'throttleTime with trailing values',
    make: (minutes$) =>
      minutes$.pipe(throttleTime(90_000, asyncScheduler, { leading: true, trailing: true })),
    seen: [
      [60, 1],
      [150, 2],
      [240, 3],
      [360, 6],
      [450, 7],
    ],
  },
  {
    name: 'throttle with timer',
    make: (minutes$) => minutes$.pipe(throttle(() => timer(90_000))),
    seen: [
      [60, 1],
      [180, 3],
      [360, 6],
    ],
  },
  {
    name: 'bufferTime',
    make: (minutes$) => minutes$.pipe(bufferTime(120_000)),
    seen: [
      [120, [1, 2]],
      [240, [3]],
      [360, [6]],
      [480, [7]],
      [600, []],
    ],
  },
  {
    name: 'bufferTime with a step and a size, which ends a buffer early',
    make: (minutes$) => minutes$.pipe(bufferTime(150_000, 300_000, 2)),
    seen: [
      [120, [1, 2]],
      [420, [6, 7]],
    ],
  },
  {
    name: 'buffer with interval',
    make: (minutes$) => minutes$.pipe(buffer(interval(240_000))),
    seen: [
      [240, [1, 2, 3]],
      [480, [6, 7]],
    ],
  },
  {
    name: 'windowTime',
    make: (minutes$) =>
      minutes$.pipe(
        windowTime(240_000),
        mergeMap((window$) => window$.pipe(toArray())),
      ),
    seen: [
      [240, [1, 2, 3]],
      [480, [6, 7]],
    ],
  },
  {
    name: 'delay',
    make: (minutes$) => minutes$.pipe(delay(90_000)),
    seen: [
      [150, 1],
      [210, 2],
      [270, 3],
      [450, 6],
      [510, 7],
    ],
  },
  {
    name: 'delay until a date',
    make: (minutes$) => minutes$.pipe(delay(new Date(START + 150_000)), take(3)),
    seen: [
      [150, 1],
      [150, 2],
      [180.001, 3],
      [180.001, '|'],
    ],
  },
  {
    name: 'delayWhen with timer',
    make: (minutes$) => minutes$.pipe(delayWhen((minute) => timer(minute * 1_000))),
    seen: [
      [61, 1],
      [122, 2],
      [183, 3],
      [366, 6],
      [427, 7],
    ],
  },
  {
    name: 'timeout as a number',
    make: (minutes$) => minutes$.pipe(timeout(100_000)),
    seen: [
      [60, 1],
      [120, 2],
      [180, 3],
      [280, 'TimeoutError'],
    ],
  },
  {
    name: 'timeout as a date',
    make: (minutes$) => minutes$.pipe(timeout(new Date(START + 59_999))),
    seen: [[59.999, 'TimeoutError']],
  },
  {
    name: 'timeout as a date by which a value came',
    make: (minutes$) => minutes$.pipe(timeout(new Date(START + 60_000)), take(1)),
    seen: [
      [60, 1],
      [60, '|'],
    ],
  },
  {
    name: 'timeout of each value, with something instead',
    make: (minutes$) => minutes$.pipe(timeout({ each: 100_000, with: () => of('instead') })),
    seen: [
      [60, 1],
      [120, 2],
      [180, 3],
      [280, 'instead'],
      [280, '|'],
    ],
  },
  {
    name: 'timeout of the first value',
    make: (minutes$) => minutes$.pipe(timeout({ first: 50_000 })),
    seen: [[50, 'TimeoutError']],
  },
  {
    name: 'timeout of the first value by a date, then of each',
    make: (minutes$) => minutes$.pipe(timeout({ first: new Date(START + 61_000), each: 170_000 })),
    seen: [
      [60, 1],
      [120, 2],
      [180, 3],
      [350, 'TimeoutError'],
    ],
  },
  {
    name: 'timeInterval',
    make: (minutes$) =>
      minutes$.pipe(
        timeInterval(),
        map((gap) => gap.interval),
      ),
    seen: [
      [60, 60_000],
      [120, 60_000],
      [180, 60_000],
      [360, 180_000],
      [420, 60_000],
    ],
  },
  {
    name: 'timestamp',
    make: (minutes$) =>
      minutes$.pipe(
        timestamp(),
        map((stamped) => stamped.timestamp - START),
        take(2),
      ),
    seen: [
      [60, 60_000],
      [120, 120_000],
      [120, '|'],
    ],
  },
  {
    name: 'observeOn asyncScheduler',
    make: (minutes$) => minutes$.pipe(observeOn(asyncScheduler), take(2)),
    seen: [
      [60.001, 1],
      [120.001, 2],
      [120.001, '|'],
    ],
  },
  {
    name: 'observeOn asyncScheduler with a delay',
    make: (minutes$) => minutes$.pipe(observeOn(asyncScheduler, 5_000), take(1)),
    seen: [
      [65, 1],
      [65, '|'],
    ],
  },
  {
    name: 'observeOn asapScheduler',
    make: (minutes$) => minutes$.pipe(observeOn(asapScheduler), take(1)),
    seen: [
      [60, 1],
      [60, '|'],
    ],
  },
  {
    name: 'observeOn queueScheduler',
    make: (minutes$) => minutes$.pipe(observeOn(queueScheduler), take(1)),
    seen: [
      [60, 1],
      [60, '|'],
    ],
  },
  {
    name: 'observeOn animationFrameScheduler',
    make: (minutes$) => minutes$.pipe(observeOn(animationFrameScheduler), take(1)),
    seen: [
      [60.016, 1],
      [60.016, '|'],
    ],
  },
  {
    name: 'subscribeOn asyncScheduler with a delay',
    make: (minutes$) => minutes$.pipe(subscribeOn(asyncScheduler, 100_000), take(1)),
    seen: [
      [120, 2],
      [120, '|'],
    ],
  },
  {
    name: 'shareReplay with a window of time',
    make: (minutes$) => {
      const recent$ = minutes$.pipe(
        shareReplay({ bufferSize: Infinity, windowTime: 100_000, refCount: true }),
      );
      const late$ = timer(250_000).pipe(switchMap(() => recent$));
      return merge(recent$.pipe(ignoreElements()), late$);
    },
    seen: [
      [250, 3],
      [360, 6],
      [420, 7],
    ],
  },
  {
    name: 'ReplaySubject with a window of time',
    make: (minutes$) => {
      const recent = new ReplaySubject<number>(Infinity, 100_000);
      const late$ = timer(250_000).pipe(switchMap(() => recent));
      return merge(minutes$.pipe(tap(recent), ignoreElements()), late$);
    },
    seen: [
      [250, 3],
      [360, 6],
      [420, 7],
    ],
  },
  {
    name: 'switchMap to timer, which is canceled by the next value',
    make: (minutes$) => minutes$.pipe(switchMap((minute) => timer(61_000).pipe(map(() => minute)))),
    seen: [
      [241, 3],
      [481, 7],
    ],
  },
  {
    name: 'exhaustMap to timer',
    make: (minutes$) =>
      minutes$.pipe(exhaustMap((minute) => timer(61_000).pipe(map(() => minute)))),
    seen: [
      [121, 1],
      [241, 3],
      [421, 6],
    ],
  },
  {
    name: 'takeUntil timer',
    make: (minutes$) => minutes$.pipe(takeUntil(timer(130_000))),
    seen: [
      [60, 1],
      [120, 2],
      [130, '|'],
    ],
  },
  {
    name: 'skipUntil timer',
    make: (minutes$) => minutes$.pipe(skipUntil(timer(200_000))),
    seen: [
      [360, 6],
      [420, 7],
    ],
  },
  {
    name: 'takeUntil timer, then takeLast',
    make: (minutes$) => minutes$.pipe(takeUntil(timer(130_000)), takeLast(1)),
    seen: [
      [130, 2],
      [130, '|'],
    ],
  },
];
