import { describe, expect, it } from 'vitest';

import {
  DISAGREEMENTS,
  type Disagreement,
  type DisagreementKind,
  type ExternalPolicy,
} from '../../../../src/live/recovery/disagreements.js';
import { adoptable, settleStart } from '../../../../src/live/recovery/settle-start.js';
import { anOrder, CONTRACT, shown } from '../../../support/live/beliefs.js';

const SIDE = { instrumentId: CONTRACT, direction: 'long', believed: 1n, actual: 2n } as const;
const BALANCE = { account: 'spot', asset: 'USDT', believed: 2n, actual: 1n } as const;

/** One disagreement of each kind that the policy decides about in the end. */
const BY_POLICY: readonly Disagreement[] = [
  { kind: 'order-unknown-foreign', instrumentId: CONTRACT, state: shown(anOrder()) },
  { kind: 'position-larger', ...SIDE },
  { kind: 'position-smaller', ...SIDE },
  { kind: 'position-absent', ...SIDE },
  { kind: 'position-foreign', ...SIDE },
  { kind: 'balance-short', ...BALANCE },
];

async function settle(
  looks: readonly (readonly Disagreement[])[],
  policy: ExternalPolicy,
): Promise<{
  readonly lasting: readonly Disagreement[];
  readonly ignored: readonly string[];
  readonly pauses: readonly number[];
}> {
  const left = [...looks];
  const ignored: string[] = [];
  const pauses: number[] = [];
  const lasting = await settleStart({
    compare: () => Promise.resolve(left.length > 1 ? (left.shift() ?? []) : (left[0] ?? [])),
    policy,
    pause: (delayMs) => {
      pauses.push(delayMs);
      return Promise.resolve();
    },
    onIgnored: (text) => ignored.push(text),
  });
  return { lasting, ignored, pauses };
}

describe('settleStart', () => {
  it('has a test case for each disagreement that the policy decides', () => {
    const facts = Object.entries(DISAGREEMENTS) as [
      DisagreementKind,
      { readonly first: string; readonly then?: string },
    ][];
    const kinds = facts.filter(([, fact]) => (fact.then ?? fact.first) === 'policy');

    expect(BY_POLICY.map(({ kind }) => kind).toSorted()).toEqual(
      kinds.map(([kind]) => kind).toSorted(),
    );
  });

  it.each(BY_POLICY)('refuses to start with the policy refuse: $kind', async (found) => {
    await expect(settle([[found]], 'refuse')).rejects.toMatchObject({
      code: 'E_DISAGREEMENT',
      message: expect.stringContaining(found.kind) as string,
    });
  });

  it.each(BY_POLICY)('returns a disagreement to claim: $kind', async (found) => {
    const { lasting } = await settle([[found]], 'claim');

    expect(lasting).toEqual([found]);
    expect(adoptable(lasting, 'claim')).toEqual([found]);
    expect(adoptable(lasting, 'refuse')).toEqual([]);
  });

  it.each(BY_POLICY)(
    'ignores an external order, and refuses everything else: $kind',
    async (found) => {
      const settled = settle([[found]], 'ignore');

      if (found.kind === 'order-unknown-foreign')
        expect(await settled).toMatchObject({
          lasting: [],
          ignored: [expect.stringContaining('order 12')],
        });
      else await expect(settled).rejects.toMatchObject({ code: 'E_DISAGREEMENT' });
    },
  );

  it('compares again after ten seconds before a disagreement counts as lasting', async () => {
    const [found] = BY_POLICY;
    const passing = [[found as Disagreement], [found as Disagreement], []];

    const { lasting, pauses } = await settle(passing, 'refuse');

    expect([lasting, pauses]).toEqual([[], [10_000, 10_000]]);
  });

  it('leaves to the session an order that the session cancels itself', async () => {
    const found: Disagreement = {
      kind: 'order-not-ended',
      instrumentId: CONTRACT,
      state: shown(anOrder()),
    };

    expect(await settle([[found]], 'refuse')).toMatchObject({ lasting: [], ignored: [] });
  });

  it('returns a lasting disagreement that no policy decides', async () => {
    const found: Disagreement = {
      kind: 'order-missing',
      instrumentId: CONTRACT,
      order: anOrder(),
    };

    expect((await settle([[found]], 'refuse')).lasting).toEqual([found]);
  });
});
