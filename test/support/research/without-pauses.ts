import {
  overfittingSteps,
  type Overfitting,
} from '../../../src/research/statistics/overfitting.js';
import { realitySteps, type RealityCheck } from '../../../src/research/statistics/reality-check.js';
import type { Steps } from '../../../src/research/statistics/steps.js';

/** Runs work to its end without a pause. `onDone` receives each share. */
export function finishSteps<T>(steps: Steps<T>, onDone?: (done: number) => void): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    onDone?.(step.value);
  }
}

export function probabilityOfOverfitting(
  ...given: Parameters<typeof overfittingSteps>
): Overfitting {
  return finishSteps(overfittingSteps(...given));
}

export function checkReality(...given: Parameters<typeof realitySteps>): RealityCheck {
  return finishSteps(realitySteps(...given));
}
