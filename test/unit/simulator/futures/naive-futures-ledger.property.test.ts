import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';

import {
  coverage,
  FUTURES_STEPS,
  FuturesBench,
} from '../../../support/venue-laws/futures-steps.js';
import { sequenceRuns } from '../../../support/runs.js';

/** Every step of the ladder and every kind of fill, on every kind of contract. In one-way mode there is nothing to net. */
const MODES = ['hedge', 'oneWay'] as const;
const KINDS = ['linear', 'inverse'].flatMap((contract) =>
  ['cross', 'isolated'].map((mode) => `${contract} ${mode}`),
);
const EVENTS = [
  'open',
  'close part',
  'close all',
  'funding',
  'ladder cancel-orders',
  'ladder reduce',
  'ladder close',
  'ladder release',
];
const LABELS = MODES.flatMap((positionMode) =>
  KINDS.flatMap((kind) =>
    [...EVENTS, positionMode === 'hedge' ? 'ladder net' : 'flip'].map(
      (event) => `${event} ${kind} ${positionMode}`,
    ),
  ),
);

describe('FuturesLedger', () => {
  it.each(MODES)(
    'equals a naive ledger to the last decimal after every step, with a residual of 0 (%s)',
    (positionMode) => {
      fc.assert(
        fc.property(fc.commands(FUTURES_STEPS, { maxCommands: 50, size: 'max' }), (commands) => {
          fc.modelRun(() => ({ model: {}, real: new FuturesBench(positionMode) }), commands);
        }),
        { numRuns: Math.ceil(sequenceRuns() / MODES.length) },
      );
    },
    400 * sequenceRuns(),
  );

  it('was tested with every step of the liquidation ladder and every kind of fill', () => {
    expect(LABELS.filter((label) => !coverage.has(label))).toEqual([]);
  });

  afterAll(() => {
    if (sequenceRuns() < 10_000) return;
    const lines = [...coverage].toSorted().map(([label, times]) => `${label}: ${String(times)}`);
    process.stdout.write(`${lines.join('\n')}\n`);
  });
});
