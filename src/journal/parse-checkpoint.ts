import {
  startingCheckpoint,
  type EngineCheckpoint,
  balancesByAccount,
  type BalanceCheckpoint,
} from '../engine/index.js';

const LISTS = [
  'balances',
  'positions',
  'interest',
  'prices',
  'orders',
  'sides',
  'attempts',
] as const satisfies readonly (keyof EngineCheckpoint)[];

/**
 * Reads what a header holds of an engine, its amounts exact already. The first journals knew beginnings with balances alone.
 *
 * @throws {Error} that says what was expected and received; the reader of the journal names the epoch.
 */
export function parseCheckpoint(value: unknown): EngineCheckpoint {
  if (typeof value !== 'object' || value === null)
    throw new Error(`expected a checkpoint, received ${JSON.stringify(value)}`);
  const members = value as Readonly<Record<string, unknown>>;
  if (members['protections'] === undefined) return parseFirstForm(members);
  const missing = LISTS.find((name) => !Array.isArray(members[name]));
  if (missing !== undefined) throw new Error(`the checkpoint has no "${missing}"`);
  return value as EngineCheckpoint;
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
      'the checkpoint has no "protections": an older evenkeel wrote it, and orders or positions are carried over',
    );
  return startingCheckpoint(balancesByAccount(balances as readonly BalanceCheckpoint[]));
}
