/** Work with pauses, so that the caller can show its progress and stop it. It yields the share that is done, 0 to 1. */
export type Steps<T> = Generator<number, T, undefined>;

/** Runs work to its end without a pause. `onDone` receives each share. */
export function finishSteps<T>(steps: Steps<T>, onDone?: (done: number) => void): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    onDone?.(step.value);
  }
}
