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
import { InvariantError, type EpochMs } from '../../domain/index.js';
import type { AmbientUses } from '../strategy/ambient-uses.js';
import { hearAmbient, watchAmbient } from '../strategy/ambient-watch.js';
import { realTimers } from '../system-clock.js';
import { SharedScheduler, type ScheduledActions } from './shared-scheduler.js';
import { VirtualTimer } from './virtual-timer.js';

/** What an engine offers to RxJS while it runs. */
export interface TimeHost {
  readonly now: EpochMs;
  setInterval(handler: () => void, delayMs: number): VirtualTimer;
  setImmediate(handler: () => void): VirtualTimer;
  /** Takes the errors that RxJS reports because nobody handles them. */
  setUnhandled(handler: () => void): VirtualTimer;
  /** Actions that wait for the host while it does not run. The router sets it. */
  waiting: WaitingActions | undefined;
  /** Receives uses of the outside world while the host runs. */
  readonly ambient: AmbientUses;
}

/** Actions that RxJS's schedulers run next. */
export interface WaitingActions {
  readonly asap: ScheduledActions;
  readonly frames: ScheduledActions;
}

/**
 * Runs `work` with RxJS's time on the host's clock, and restores RxJS's time afterwards, also when `work` throws.
 *
 * RxJS keeps its timers behind provider objects. One permanent router is their delegate. It schedules on the host that is running; without a
 * host, on a delegate that other code has set; without that, on the real functions. Canceling follows the class of the handle, so a virtual
 * timer can be canceled from outside and a real timer from inside.
 * If the host runs already, `work` is called directly.
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

/** Called at every event, and therefore written without a loop. */
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
    now: (): number => running?.now ?? routes.date.other?.now() ?? realTimers.dateNow(),
  },
  performance: {
    now: (): number =>
      running?.now ?? routes.performance.other?.now() ?? realTimers.performanceNow(),
  },
};

/** The platform's animation frames, as RxJS knows them. Node does not have them. */
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
    callback(host.now);
  }, FRAME_MS);
  return timer;
}

/** Inside a host, an unhandled error goes to the host, whatever the process does with other unhandled errors. */
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

/** One provider of RxJS. Once the route is open, the provider permanently delegates to its part of the router. */
class Route<Delegate extends object> {
  readonly #provider: { delegate: Delegate | undefined };
  readonly #own: Delegate;
  /** The delegate that other code has set. It serves code that runs outside of every host. */
  other: Delegate | undefined;

  constructor(provider: { delegate: Delegate | undefined }, own: Delegate) {
    this.#provider = provider;
    this.#own = own;
  }

  /** Other code may still set the provider's delegate, as RxJS's own TestScheduler does; inside a host, that has no effect. */
  open(): void {
    this.other = this.#provider.delegate;
    Object.defineProperty(this.#provider, 'delegate', {
      // Another copy of this module in the same process may define the property again.
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

/** Called at the first entry, not at import, so that a process without an engine keeps RxJS unchanged. */
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

/** Whether actions wait for a turn now, or have to be put back. Nearly always false, and called twice per event. */
function hasScheduled(next: WaitingActions | undefined): boolean {
  return next !== undefined || !sharedAsap.isEmpty || !sharedFrames.isEmpty;
}

/** Takes out the actions that wait for the next turn, and puts in those of the host that runs next. */
function exchangeScheduled(next: WaitingActions | undefined): WaitingActions | undefined {
  const isEmpty = sharedAsap.isEmpty && sharedFrames.isEmpty;
  const taken = isEmpty ? undefined : { asap: sharedAsap.take(), frames: sharedFrames.take() };
  if (next !== undefined) {
    sharedAsap.put(next.asap);
    sharedFrames.put(next.frames);
  }
  return taken;
}
