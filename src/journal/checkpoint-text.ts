import { hash } from 'node:crypto';
import {
  startingCheckpoint,
  type EngineCheckpoint,
  balancesByAccount,
  type BalanceCheckpoint,
  type StateCheckpoint,
} from '../engine/index.js';
import { readExact, writeExact } from './exact-json.js';

const LISTS = [
  'balances',
  'positions',
  'interest',
  'prices',
  'orders',
  'sides',
  'attempts',
] as const satisfies readonly (keyof EngineCheckpoint)[];

/** Writes the checkpoint at the begin or end of an epoch, or within it. The strategy's state gets a hash of its own beside it. */
export function writeCheckpoint(checkpoint: EngineCheckpoint): string {
  const { state } = checkpoint;
  return writeExact(
    state === undefined ? checkpoint : { ...checkpoint, state: { ...state, hash: hashOf(state) } },
  );
}

/**
 * Reads the text of {@link writeCheckpoint}. In the first version of journals, a checkpoint at a begin had balances only.
 *
 * @throws {Error} that says what was expected and received; the reader of the journal adds the epoch.
 */
export function readCheckpoint(text: string): EngineCheckpoint {
  const value = readExact(text);
  if (typeof value !== 'object' || value === null)
    throw new Error(`expected a checkpoint, received ${JSON.stringify(value)}`);
  const members = value as Readonly<Record<string, unknown>>;
  if (members['protections'] === undefined) return parseFirstForm(members);
  const missing = LISTS.find((name) => !Array.isArray(members[name]));
  if (missing !== undefined) throw new Error(`the checkpoint has no "${missing}"`);
  return { ...(value as EngineCheckpoint), ...readState(members['state']) };
}

/** Checks the hash of the state. Without the check, a bot would trade on with an altered state. */
function readState(value: unknown): Pick<EngineCheckpoint, 'state'> {
  if (value === undefined) return {};
  const { hash: written, ...state } = value as StateCheckpoint & { readonly hash?: unknown };
  const expected = hashOf(state);
  if (written === expected) return { state };
  throw new Error(
    `the state of the strategy was altered: expected ${String(written)} as its hash, received ${expected}`,
  );
}

function hashOf({ version, members, json }: StateCheckpoint): string {
  return hash('sha256', JSON.stringify([version, members, json]));
}

function parseFirstForm(members: Readonly<Record<string, unknown>>): EngineCheckpoint {
  const { lastIntentId, balances } = members;
  const isEmpty = (name: string): boolean => {
    const list = members[name];
    return Array.isArray(list) && list.length === 0;
  };
  const isBeginning = lastIntentId === 0 && ['positions', 'orders', 'halts'].every(isEmpty);
  if (!isBeginning || !Array.isArray(balances))
    throw new Error(
      'the checkpoint has no "protections": an older version of evenkeel wrote it, and it has open orders or positions',
    );
  return startingCheckpoint(balancesByAccount(balances as readonly BalanceCheckpoint[]));
}
