/** The platform's timers, for RxJS outside of engines. */
export const realTimers = {
  setInterval: (handler: () => void, delayMs?: number): unknown => setInterval(handler, delayMs),
  clearInterval: (timer: unknown): void => {
    clearInterval(timer as NodeJS.Timeout);
  },
  setTimeout: (handler: () => void, delayMs?: number): unknown => setTimeout(handler, delayMs),
  clearTimeout: (timer: unknown): void => {
    clearTimeout(timer as NodeJS.Timeout);
  },
  dateNow: (): number => Date.now(),
  performanceNow: (): number => performance.now(),
} as const;
