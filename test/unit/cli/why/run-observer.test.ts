import { describe, expect, it } from 'vitest';

import { RunObserver } from '../../../../src/cli/why/run-observer.js';
import {
  createInstrumentId,
  parseUtc,
  type InstrumentId,
  type TargetIntent,
} from '../../../../src/domain/index.js';
import type { StoredEntry } from '../../../../src/journal/index.js';

const [BTC, ETH] = [createInstrumentId('spot', 'BTCUSDT'), createInstrumentId('spot', 'ETHUSDT')];
const AT = parseUtc('2025-01-02');

/** What the observer explains of an instant at which the strategy set these targets. */
function shownOf(asked: InstrumentId | undefined, ...names: readonly (string | undefined)[]) {
  const targets = names.map((instrument) => ({ instrument, to: { weight: '0.5' } }));
  const intent: TargetIntent = { kind: 'target', targets };
  const entry = {
    id: 1,
    event: { kind: 'timer', time: AT },
    intents: [{ intentId: 7, intent }],
    commands: [],
  } as unknown as StoredEntry;
  const observer = new RunObserver(AT, { instrumentId: asked, first: BTC });
  observer.watch.onEntry(entry);
  return observer.finish().decided.flatMap((moment) => moment.targets.map((one) => one.intentId));
}

describe('targets that why shows', () => {
  it.each([
    ['no instrument is asked for', undefined, ['ETHUSDT'], [7]],
    ['one names the instrument', ETH, ['ETHUSDT'], [7]],
    ['one names it with its product', ETH, ['spot:ETHUSDT'], [7]],
    ['one of several names it', ETH, ['BTCUSDT', 'ETHUSDT'], [7]],
    ['all name others', ETH, ['BTCUSDT'], []],
    ['one names none, and the first is asked for', BTC, [undefined], [7]],
    ['one names none, and another is asked for', ETH, [undefined], []],
  ])('%s', (_case, asked, names, shown) => {
    expect(shownOf(asked, ...names)).toEqual(shown);
  });
});
