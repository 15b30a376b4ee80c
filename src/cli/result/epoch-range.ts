import { isDeepStrictEqual } from 'node:util';
import { InvalidArgumentError } from 'commander';
import { isGuardEpoch } from '../../assembly/backtest/index.js';
import { UsageError } from '../../domain/index.js';
import type { Epoch } from '../../journal/index.js';

/** Epochs of a journal, both ends included. */
export interface EpochRange {
  readonly first: number;
  /** Number of the last epoch. @defaultValue the newest */
  readonly last?: number | undefined;
}

/** Parses `3` (from epoch 3 to the newest) or `1-2`. */
export function parseEpochRange(text: string): EpochRange {
  const [, first, last] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  const range = { first: Number(first), last: last === undefined ? undefined : Number(last) };
  if (first !== undefined && range.first <= (range.last ?? range.first)) return range;
  throw new InvalidArgumentError('expected the number of an epoch, or two as in 1-2');
}

/** @throws {UsageError} `E_REPLAY_EPOCH` if the journal lacks the first or the last epoch of the range. */
export function chooseEpochs(
  journal: string,
  epochs: readonly Epoch[],
  range: EpochRange | undefined,
): readonly Epoch[] {
  if (range === undefined) return epochs;
  const { first, last = first } = range;
  for (const end of [first, last]) {
    if (epochs.some(({ id }) => id === end)) continue;
    const known = epochs.map(({ id }) => String(id)).join(', ');
    throw new UsageError(
      'E_REPLAY_EPOCH',
      `${journal}: expected one of the epochs ${known}, received ${String(end)}`,
    );
  }
  return epochs.filter(({ id }) => id >= first && id <= (range.last ?? id));
}

/** Says which epochs a result covers, and how to get the others; empty if it covers all. */
export function describeLeftOut(chosen: readonly Epoch[], all: readonly Epoch[]): string[] {
  const [first, last] = [chosen.at(0)?.id ?? 0, chosen.at(-1)?.id ?? 0];
  const others = [
    ...partOf(all, ({ id }) => id < first, nameOf, 'those before'),
    ...partOf(all, ({ id }) => id > last, beginningOf, 'those after'),
  ];
  if (others.length === 0) return [];
  const those = first === last ? `epoch ${String(first)}` : `epochs ${nameOf(chosen)}`;
  return [
    `the result is of ${those} of the journal alone: ${others.join(', ')}, with the plugin and the configuration that they were run with`,
  ];
}

/** Says which epochs can be replayed when one was run with other inputs than the present ones. */
export function describeChoices(
  failed: Epoch,
  chosen: readonly Epoch[],
  all: readonly Epoch[],
): string {
  const alike = epochsAlike(failed, all);
  const end = alike.at(-1)?.id ?? failed.id;
  const choices = [
    ...partOf(all, ({ id }) => id > end, beginningOf, 'what came after'),
    ...partOf(chosen, ({ id }) => id < failed.id, nameOf, 'what came before'),
    ...(alike.length < chosen.length
      ? [`--epoch ${nameOf(alike)} what was run with it, once it is back`]
      : []),
  ];
  return choices.length === 0 ? '' : `; of this journal, ${choices.join(', ')}`;
}

/** Says how to get the epochs that `isWanted` selects; empty if there are none. */
function partOf(
  epochs: readonly Epoch[],
  isWanted: (epoch: Epoch) => boolean,
  name: (epochs: readonly Epoch[]) => string,
  what: string,
): readonly string[] {
  const wanted = epochs.filter(isWanted);
  return wanted.length === 0 ? [] : [`--epoch ${name(wanted)} gives ${what}`];
}

function nameOf(epochs: readonly Epoch[]): string {
  return `${beginningOf(epochs)}-${String(epochs.at(-1)?.id)}`;
}

function beginningOf(epochs: readonly Epoch[]): string {
  return String(epochs.at(0)?.id);
}

/** Epochs around `epoch` without a gap that were run with the same inputs. Epochs of the guard process count as equal to their neighbors. */
function epochsAlike(epoch: Epoch, all: readonly Epoch[]): readonly Epoch[] {
  const isAlike = (other: Epoch): boolean =>
    isGuardEpoch(other) || isDeepStrictEqual(other.header.hashes, epoch.header.hashes);
  const at = all.findIndex(({ id }) => id === epoch.id);
  const first = all.findLastIndex((other, index) => index < at && !isAlike(other)) + 1;
  const end = all.findIndex((other, index) => index > at && !isAlike(other));
  return all.slice(first, end === -1 ? undefined : end);
}
