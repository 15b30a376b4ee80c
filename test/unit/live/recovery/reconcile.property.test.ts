import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createInstrumentId, parseFixed, type InstrumentId } from '../../../../src/domain/index.js';
import type { BelievedOrder } from '../../../../src/live/recovery/belief.js';
import type { DisagreementKind } from '../../../../src/live/recovery/disagreements.js';
import { reconcile } from '../../../../src/live/recovery/reconcile.js';
import type { VenueOrder } from '../../../../src/venue/index.js';
import { lawRuns } from '../../../support/runs.js';
import {
  aBalance,
  aBelief,
  aContractRequest,
  anOrder,
  aPosition,
  futuresAccount,
  shown,
} from '../../../support/live/beliefs.js';

const CONTRACTS: readonly InstrumentId[] = ['E-BTC-USDT', 'E-ETH-USDT', 'E-XRP-USDT'].map(
  (symbol) => createInstrumentId('futures', symbol),
);

/** One contract as both sides see it, and the disagreements to find. */
interface Scene {
  readonly believed: readonly BelievedOrder[];
  readonly known?: readonly string[];
  readonly open: readonly VenueOrder[];
  readonly asked?: readonly VenueOrder[];
  readonly found: readonly DisagreementKind[];
}

/** Differences of orders, each as the two views of one order. */
const PLANTS: Readonly<Record<string, (instrumentId: InstrumentId, id: string) => Scene>> = {
  'an order that agrees': (instrumentId, id) => {
    const order = anOrder(aContractRequest({ instrumentId }), { id, filled: '1' });
    return { believed: [order], open: [shown(order)], found: [] };
  },
  'an order without an answer': (instrumentId) => {
    const request = aContractRequest({ instrumentId });
    const order = anOrder(request, { id: undefined, status: 'unknown' });
    return { believed: [order], open: [], found: ['submit-without-answer'] };
  },
  'an order that is gone': (instrumentId, id) => {
    const order = anOrder(aContractRequest({ instrumentId }), { id });
    return { believed: [order], open: [], found: ['order-missing'] };
  },
  'an order that has ended': (instrumentId, id) => {
    const order = anOrder(aContractRequest({ instrumentId }), { id });
    const asked = [shown(order, { status: 'canceled' })];
    return { believed: [order], open: [], asked, found: ['order-ended'] };
  },
  'a fill that was not told': (instrumentId, id) => {
    const order = anOrder(aContractRequest({ instrumentId }), { id });
    const open = [shown(order, { filledQuantity: parseFixed('1') })];
    return { believed: [order], open, found: ['order-filled-further'] };
  },
  'a cancel without an answer': (instrumentId, id) => {
    const order = anOrder(aContractRequest({ instrumentId }), { id, status: 'canceling' });
    return { believed: [order], open: [shown(order)], found: ['cancel-without-answer'] };
  },
  'an external order': (instrumentId, id) => {
    const order = anOrder(aContractRequest({ instrumentId }), { id });
    return { believed: [], open: [shown(order)], found: ['order-unknown-foreign'] };
  },
  'an order that came back': (instrumentId, id) => {
    const order = anOrder(aContractRequest({ instrumentId }), { id });
    return { believed: [], known: [id], open: [shown(order)], found: ['order-not-ended'] };
  },
};

interface World {
  readonly plants: readonly string[];
  /** Contracts that the venue holds beyond those of the bot, by instrument. */
  readonly surplus: readonly bigint[];
  readonly isPoor: boolean;
}

function worlds(): fc.Arbitrary<World> {
  return fc.record({
    plants: fc.array(fc.constantFrom(...Object.keys(PLANTS)), { minLength: 3, maxLength: 3 }),
    surplus: fc.array(fc.constantFrom(0n, 0n, parseFixed('0.5'), parseFixed('2')), {
      minLength: 3,
      maxLength: 3,
    }),
    isPoor: fc.boolean(),
  });
}

describe('reconcile', () => {
  it('finds each difference per instrument, and of positions and balances only if the orders agree', () => {
    fc.assert(
      fc.property(worlds(), ({ plants, surplus, isPoor }) => {
        const scenes = CONTRACTS.map((instrumentId, index) => {
          const plant = PLANTS[plants[index] ?? ''];
          if (plant === undefined) throw new Error('expected a plant');
          return { instrumentId, scene: plant(instrumentId, String(12 + index)), index };
        });
        const all = scenes.map(({ scene }) => scene);
        const held = parseFixed('3');
        const belief = aBelief({
          orders: all.flatMap(({ believed }) => believed),
          known: all.flatMap(({ known = [] }) => known),
          positions: CONTRACTS.map((instrumentId) => aPosition('3', { instrumentId })),
          balances: [aBalance('100', { account: 'futures' })],
        });
        const account = futuresAccount(
          CONTRACTS.map((instrumentId, index) => ({
            instrumentId,
            quantity: held + (surplus[index] ?? 0n),
          })),
          { available: parseFixed(isPoor ? '99' : '100') },
        );

        const found = reconcile(belief, {
          time: 1,
          openOrders: new Map(scenes.map(({ instrumentId, scene }) => [instrumentId, scene.open])),
          orders: new Map(
            all.flatMap(({ asked = [] }) => asked).map((order) => [order.venueOrderId, order]),
          ),
          accounts: [account],
        });

        const isCalm = all.every((scene) => scene.found.length === 0);
        const expected = [
          ...scenes.flatMap(({ scene, instrumentId }) =>
            scene.found.map((kind) => `${kind} ${instrumentId}`),
          ),
          // Half a contract is dust.
          ...scenes
            .filter(
              ({ scene, index }) => scene.found.length === 0 && surplus[index] === parseFixed('2'),
            )
            .map(({ instrumentId }) => `position-larger ${instrumentId}`),
          ...(isCalm && isPoor ? ['balance-short futures'] : []),
        ];
        expect(
          found.map((one) => `${one.kind} ${'account' in one ? one.account : one.instrumentId}`),
        ).toEqual(expected);
      }),
      { numRuns: lawRuns() },
    );
  });
});
