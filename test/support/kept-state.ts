import { writeState } from '../../src/strategy/index.js';

/** A state as it is kept. */
export function textFromState(state: unknown): string {
  const written = writeState(state);
  if (!written.ok) throw new Error(`expected a state, received ${written.problem.received}`);
  return written.text;
}
