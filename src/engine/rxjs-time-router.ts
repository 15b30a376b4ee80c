import { animationFrameScheduler } from 'rxjs/internal/scheduler/animationFrame';
import { animationFrameProvider } from 'rxjs/internal/scheduler/animationFrameProvider';
import { asapScheduler } from 'rxjs/internal/scheduler/asap';
import { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider';
import { immediateProvider } from 'rxjs/internal/scheduler/immediateProvider';
import { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider';
import { performanceTimestampProvider } from 'rxjs/internal/scheduler/performanceTimestampProvider';
import { timeoutProvider } from 'rxjs/internal/scheduler/timeoutProvider';
import { Immediate } from 'rxjs/internal/util/Immediate';
import { asyncScheduler, config, queueScheduler } from 'rxjs';
import { InvariantError, type EpochMs } from '../domain/index.js';
import type { AmbientUses } from './ambient-uses.js';
import { hearAmbient, watchAmbient } from './ambient-watch.js';
import { SharedScheduler, type ScheduledActions } from './shared-scheduler.js';
import { realTimers } from './system-clock.js';
import { VirtualTimer } from './virtual-timer.js';

/** What an engine offers to RxJS while it runs. */
export interface TimeHost {
  now(): EpochMs;
  setInterval(handler: () => void, delayMs: number): VirtualTimer;
  setImmediate(handler: () => void): VirtualTimer;
  /** Takes the errors that RxJS reports because nobody handles them. */
  setUnhandled(handler: () => void): VirtualTimer;
  /** The router keeps here what waits for the host while it does not run. */
  waiting: WaitingActions | undefined;
  /** Hears, while the host runs, of what is used of the outside. */
  readonly ambient: AmbientUses;
}

/** What RxJS's schedulers run next. */
export interface WaitingActions {
  readonly asap: ScheduledActions;
  readonly frames: ScheduledActions;
}

/**
 * Runs `work` with RxJS's time on the host's clock, and gives it back afterwards, also when it throws.
 *
 * RxJS keeps its timers behind provider objects. One permanent router is their delegate: it schedules on the host that is running,
 * else on the delegate that somebody else has set, else on the real functions; canceling follows the class of the handle, so a virtual
 * timer can be canceled from outside and a real one from inside.
 * Where the host runs already there is nothing to enter.
 * @throws {InvariantError} `E_ENGINE_INSIDE_RXJS_TIMER` when called while a scheduler of RxJS is flushing: RxJS would then run the host's
 * actions after the call, outside it. Append to the queue instead; its pump runs in a microtask.
 */
export function runOnVirtualTime<T>(host: TimeHost, work: () => T): T {
  if (running === host) return work();
  if (!isInstalled) install();
  if (isFlushing()) {
    throw new InvariantError(
      'E_ENGINE_INSIDE_RXJS_TIMER',
      'the engine was called from inside a timer of RxJS',
    );
  }
  const outer = running;
  const outside = hasScheduled(host.waiting) ? exchangeScheduled(host.waiting) : undefined;
  running = host;
  const heard = hearAmbient(host.ambient);
  try {
    return work();
  } finally {
    hearAmbient(heard);
    running = outer;
    host.waiting = hasScheduled(outside) ? exchangeScheduled(outside) : undefined;
  }
}

let running: TimeHost | undefined;

/** Whether RxJS's time is the host's at this moment. */
export function isOnTimeOf(host: TimeHost): boolean {
  return running === host;
}

const FRAME_MS = 16;

interface Flushing {
  readonly _active: boolean;
}

const timerFlush = asyncScheduler as unknown as Flushing;
const queueFlush = queueScheduler as unknown as Flushing;
const asapFlush = asapScheduler as unknown as Flushing;
const frameFlush = animationFrameScheduler as unknown as Flushing;

/** Asked at every event, and therefore written out. */
function isFlushing(): boolean {
  return timerFlush._active || queueFlush._active || asapFlush._active || frameFlush._active;
}

const router = {
  interval: {
    setInterval: (handler: () => void, delayMs = 0): never =>
      handle(
        running?.setInterval(handler, delayMs) ??
          routes.interval.other?.setInterval(handler, delayMs) ??
          realTimers.setInterval(handler, delayMs),
      ),
    clearInterval: (timer: unknown): void => {
      if (timer instanceof VirtualTimer) timer.cancel();
      else (routes.interval.other ?? realTimers).clearInterval(handle(timer));
    },
  },
  timeout: {
    setTimeout: (handler: () => void, delayMs?: number): never =>
      handle(
        running?.setUnhandled(() => {
          throwUnhandled(handler);
        }) ??
          routes.timeout.other?.setTimeout(handler, delayMs) ??
          realTimers.setTimeout(handler, delayMs),
      ),
    clearTimeout: (timer: unknown): void => {
      if (timer instanceof VirtualTimer) timer.cancel();
      else (routes.timeout.other ?? realTimers).clearTimeout(handle(timer));
    },
  },
  immediate: {
    setImmediate: (handler: () => void): never =>
      handle(
        running?.setImmediate(handler) ??
          (routes.immediate.other ?? Immediate).setImmediate(handler),
      ),
    clearImmediate: (timer: unknown): void => {
      if (timer instanceof VirtualTimer) timer.cancel();
      else (routes.immediate.other ?? Immediate).clearImmediate(handle(timer));
    },
  },
  frames: {
    requestAnimationFrame: (callback: (timestamp: number) => void): never =>
      handle(
        running === undefined
          ? (routes.frames.other ?? realFrames).requestAnimationFrame(callback)
          : setFrame(running, callback),
      ),
    cancelAnimationFrame: (timer: unknown): void => {
      if (timer instanceof VirtualTimer) timer.cancel();
      else (routes.frames.other ?? realFrames).cancelAnimationFrame(timer);
    },
  },
  date: {
    now: (): number => running?.now() ?? routes.date.other?.now() ?? realTimers.dateNow(),
  },
  performance: {
    now: (): number =>
      running?.now() ?? routes.performance.other?.now() ?? realTimers.performanceNow(),
  },
};

/** What RxJS knows as the platform's frames, which this platform does not have. */
interface Frames {
  requestAnimationFrame(callback: (timestamp: number) => void): unknown;
  cancelAnimationFrame(handle: unknown): void;
}

const realFrames: Frames = {
  requestAnimationFrame: (callback) =>
    realTimers.setTimeout(() => {
      callback(realTimers.performanceNow());
    }, FRAME_MS),
  cancelAnimationFrame: realTimers.clearTimeout,
};

function setFrame(host: TimeHost, callback: (timestamp: number) => void): VirtualTimer {
  const timer = host.setInterval(() => {
    timer.cancel();
    callback(host.now());
  }, FRAME_MS);
  return timer;
}

/** Inside a host an error that nobody handles is the host's, whatever the process does with others. */
function throwUnhandled(report: () => void): void {
  const { onUnhandledError } = config;
  config.onUnhandledError = null;
  try {
    report();
  } finally {
    config.onUnhandledError = onUnhandledError;
  }
}

/** Handles are opaque to RxJS; its types know only the platform's. */
function handle(timer: unknown): never {
  return timer as never;
}

/** One provider of RxJS and what it delegates to once the route is open: the router's part, for ever. */
class Route<Delegate extends object> {
  readonly #provider: { delegate: Delegate | undefined };
  readonly #own: Delegate;
  /** The delegate that somebody else has set: it serves whoever runs outside every host. */
  other: Delegate | undefined;

  constructor(provider: { delegate: Delegate | undefined }, own: Delegate) {
    this.#provider = provider;
    this.#own = own;
  }

  /** Others may go on setting the provider's delegate, as RxJS's own TestScheduler does; inside a host it has no effect. */
  open(): void {
    this.other = this.#provider.delegate;
    Object.defineProperty(this.#provider, 'delegate', {
      // Another copy of this module in the same process may stand in front of this one.
      configurable: true,
      get: () => this.#own,
      set: (delegate: Delegate | undefined) => {
        this.other = delegate;
      },
    });
  }
}

const routes = {
  interval: new Route(intervalProvider, router.interval),
  timeout: new Route(timeoutProvider, router.timeout),
  immediate: new Route(immediateProvider, router.immediate),
  frames: new Route<Frames>(animationFrameProvider, router.frames),
  date: new Route(dateTimestampProvider, router.date),
  performance: new Route(performanceTimestampProvider, router.performance),
};

let isInstalled = false;

/** With the first entry, not with the import: a process without an engine keeps RxJS as it is. */
function install(): void {
  isInstalled = true;
  watchAmbient();
  for (const route of Object.values(routes)) route.open();
}

const sharedAsap = new SharedScheduler(asapScheduler, router.immediate.clearImmediate);
const sharedFrames = new SharedScheduler(
  animationFrameScheduler,
  router.frames.cancelAnimationFrame,
);

/** Whether anything waits for a turn now, or has to be put back. Nearly always not, and asked twice per event. */
function hasScheduled(next: WaitingActions | undefined): boolean {
  return next !== undefined || !sharedAsap.isEmpty || !sharedFrames.isEmpty;
}

/** Takes out what waits for the next turn and puts in what waited for the one who runs next. */
function exchangeScheduled(next: WaitingActions | undefined): WaitingActions | undefined {
  const isEmpty = sharedAsap.isEmpty && sharedFrames.isEmpty;
  const taken = isEmpty ? undefined : { asap: sharedAsap.take(), frames: sharedFrames.take() };
  if (next !== undefined) {
    sharedAsap.put(next.asap);
    sharedFrames.put(next.frames);
  }
  return taken;
}
