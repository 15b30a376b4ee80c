import { JournalError, TradingError } from '../domain/index.js';
import {
  type Engine,
  type EngineCheckpoint,
  describeEvent,
  type Command,
} from '../engine/index.js';
import type { Epoch } from './epoch.js';
import { writeExact } from './exact-json.js';
import type { StoredEntry } from './journal-reader.js';

/** The first place where a replay differs from the journal. */
export interface Divergence {
  /** Number of the event in the journal. */
  readonly eventId: number;
  /** The event in one line. */
  readonly event: string;
  /**
   * What differs: the entry itself, the engine's failure, one command by its position, the strategy's state, the updates of the simulated venue
   * of a paper session, or the engine's state at the end.
   */
  readonly what: 'entry' | 'failure' | 'command' | 'state' | 'venue' | 'ending';
  readonly expected: string;
  readonly received: string;
}

/** An altered entry cannot be compared: returns a divergence for it, undefined for an intact one. */
export function findAltered({ id, event, isIntact }: StoredEntry): Divergence | undefined {
  if (isIntact) return undefined;
  return {
    eventId: id,
    event: describeEvent(event),
    what: 'entry',
    expected: 'the entry as it was written',
    received: 'a changed one',
  };
}

/**
 * Gives an entry's event to a recorded engine, and compares its commands and the strategy's state. Returns the first difference, undefined if there
 * is none.
 */
export function replayEntry(engine: Engine, entry: StoredEntry): Divergence | undefined {
  const altered = findAltered(entry);
  if (altered !== undefined) return altered;
  const place = { eventId: entry.id, event: describeEvent(entry.event) };
  let commands: readonly Command[];
  try {
    commands = engine.process(entry.event);
  } catch (error: unknown) {
    if (!(error instanceof TradingError)) throw error;
    const expected = describeCommands(entry.commands);
    return { ...place, what: 'failure', expected, received: error.message };
  }
  const most = Math.max(commands.length, entry.commands.length);
  for (let position = 0; position < most; position += 1) {
    const expected = describeCommand(entry.commands[position]);
    const received = describeCommand(commands[position]);
    if (expected !== received) return { ...place, what: 'command', expected, received };
  }
  if (engine.stateChange === entry.state) return undefined;
  const [expected, received] = [entry.state, engine.stateChange].map(describeState);
  return { ...place, what: 'state', expected: expected ?? '', received: received ?? '' };
}

/** Compares the engine's state after the last entry of a closed epoch with the state that was stored at the close. */
export function compareEnding(
  engine: Engine,
  { ending }: Epoch,
  lastEvent: number,
): Divergence | undefined {
  if (ending === undefined) return undefined;
  const owned = engine.checkpoint();
  const names = Object.keys(owned) as (keyof EngineCheckpoint)[];
  const name = names.find((each) => written(ending, each) !== written(owned, each));
  if (name === undefined) return undefined;
  return {
    eventId: lastEvent,
    event: 'end of the epoch',
    what: 'ending',
    expected: `${name} ${written(ending, name)}`,
    received: written(owned, name),
  };
}

/** Writes one member of a checkpoint with its key, because the key decides which values are exact amounts. */
function written(checkpoint: EngineCheckpoint, name: keyof EngineCheckpoint): string {
  return writeExact({ [name]: checkpoint[name] });
}

/** Makes the error that stops a recovery, and that `replay` prints. */
export function divergenceError({ eventId, event, expected, received }: Divergence): JournalError {
  return new JournalError(
    'E_REPLAY_DIVERGED',
    `event ${String(eventId)} (${event}): expected ${expected}, received ${received}`,
  );
}

function describeState(state: string | undefined): string {
  return state === undefined ? 'the state as it was' : `the state ${state}`;
}

function describeCommands(commands: readonly Command[]): string {
  return commands.length === 0 ? 'no command' : commands.map(describeCommand).join(', ');
}

/** Writes a command in one line, complete: two lines are equal only if the commands are equal. */
function describeCommand(command: Command | undefined): string {
  if (command === undefined) return 'no command';
  if (command.kind === 'submit') {
    const { order, condition } = command;
    const on = condition === undefined ? '' : ` on ${writeExact(condition)}`;
    return `submit ${writeExact(order)}${on}`;
  }
  const what = command.isCondition === true ? 'trigger ' : '';
  return `cancel ${what}${command.clientOrderId} of ${command.instrumentId}`;
}
