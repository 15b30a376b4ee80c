/** Work that pauses now and then, so that whoever runs it can show how far it is, and stop: what it yields is the share that is done, 0 to 1. */
export type Steps<T> = Generator<number, T, undefined>;

/** Runs work to its end without a pause. `onDone` hears of each share. */
export function finishSteps<T>(steps: Steps<T>, onDone?: (done: number) => void): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    onDone?.(step.value);
  }
}
