import { describe, expect, it } from 'vitest';

import { parseFixed } from '../../../../src/domain/index.js';
import { reconcile } from '../../../../src/live/recovery/reconcile.js';
import { aLimitRequest } from '../../../support/order-requests.js';
import {
  aBalance,
  aBelief,
  aContractRequest,
  anOrder,
  aPosition,
  aView,
  CONTRACT,
  futuresAccount,
  shown,
  SPOT,
  spotAccount,
} from '../../../support/live/beliefs.js';

const kinds = (...sides: Parameters<typeof reconcile>): readonly string[] =>
  reconcile(...sides).map(({ kind }) => kind);

describe('reconcile, orders', () => {
  it('finds nothing if the venue shows the believed order', () => {
    const order = anOrder(aContractRequest(), { status: 'partially-filled', filled: '1' });

    expect(reconcile(aBelief({ orders: [order] }), aView({ open: [shown(order)] }))).toEqual([]);
  });

  it.each([
    ['submit-without-answer', 'unknown'],
    ['command-never-journalled-as-sent', 'submitting'],
    ['command-never-journalled-as-sent', 'canceling'],
  ] as const)('reports an order without an id as %s if it is %s', (kind, status) => {
    const order = anOrder(aContractRequest(), { id: undefined, status });

    expect(reconcile(aBelief({ orders: [order] }), aView())).toEqual([
      { kind, instrumentId: CONTRACT, order },
    ]);
  });

  it('reports an order that is in no list as missing', () => {
    const order = anOrder();

    expect(reconcile(aBelief({ orders: [order] }), aView())).toEqual([
      { kind: 'order-missing', instrumentId: CONTRACT, order },
    ]);
  });

  it('reports the end of an order, also after fills', () => {
    const order = anOrder();
    const state = shown(order, { status: 'canceled', filledQuantity: parseFixed('2') });

    expect(reconcile(aBelief({ orders: [order] }), aView({ asked: [state] }))).toEqual([
      { kind: 'order-ended', instrumentId: CONTRACT, order, state },
    ]);
  });

  it('reports that an order has filled further', () => {
    const order = anOrder();
    const state = shown(order, { filledQuantity: parseFixed('2') });

    expect(reconcile(aBelief({ orders: [order] }), aView({ open: [state] }))).toEqual([
      {
        kind: 'order-filled-further',
        instrumentId: CONTRACT,
        order,
        state,
        untold: parseFixed('2'),
      },
    ]);
  });

  it('ignores a list with an older filled quantity', () => {
    const order = anOrder(aContractRequest(), { filled: '2' });
    const state = shown(order, { filledQuantity: parseFixed('1') });

    expect(kinds(aBelief({ orders: [order] }), aView({ open: [state] }))).toEqual([]);
  });

  it.each(['canceling', 'unknown'] as const)(
    'asks for another cancel of an order that is %s and works',
    (status) => {
      const order = anOrder(aContractRequest(), { status });

      expect(kinds(aBelief({ orders: [order] }), aView({ open: [shown(order)] }))).toEqual([
        'cancel-without-answer',
      ]);
    },
  );

  it('ignores orders and positions with a command in flight', () => {
    const order = anOrder(aContractRequest(), { id: undefined, status: 'submitting' });
    const belief = aBelief({ orders: [order], inFlight: ['order-1'], positions: [aPosition('0')] });

    expect(kinds(belief, aView({ accounts: [futuresAccount([{}])] }))).toEqual([]);
  });

  it('reports an order that has ended for the bot but works at the venue', () => {
    const belief = aBelief({ known: ['12'] });

    expect(kinds(belief, aView({ open: [shown(anOrder())] }))).toEqual(['order-not-ended']);
  });

  it('reports an unknown working order as external', () => {
    const working = anOrder();

    expect(reconcile(aBelief(), aView({ open: [shown(working)] }))).toEqual([
      { kind: 'order-unknown-foreign', instrumentId: CONTRACT, state: shown(working) },
    ]);
  });

  it('reports no external order while an own order is searched', () => {
    const order = anOrder(aContractRequest(), { id: undefined, status: 'unknown' });
    const belief = aBelief({ orders: [order] });

    expect(kinds(belief, aView({ open: [shown(anOrder())] }))).toEqual(['submit-without-answer']);
  });

  it('compares no instrument that was not read', () => {
    const order = anOrder(aLimitRequest());

    expect(kinds(aBelief({ orders: [order] }), aView())).toEqual([]);
  });
});

describe('reconcile, positions', () => {
  it.each([
    ['3', '3', undefined],
    ['3', '4', 'position-larger'],
    ['3', '2', 'position-smaller'],
    ['3', '0', 'position-absent'],
    ['0', '1', 'position-foreign'],
    ['0.9', '1.9', 'position-foreign'],
    ['3', '0.9', 'position-absent'],
    // Less than a step.
    ['3', '3.9', undefined],
    ['0.9', '0', undefined],
  ])('compares %s believed with %s held and finds %s', (believed, held, kind) => {
    const account = futuresAccount([{ quantity: parseFixed(held) }]);
    const belief = aBelief({ positions: [aPosition(believed)] });

    const found = reconcile(belief, aView({ accounts: [account] }));

    const expected = {
      kind,
      instrumentId: CONTRACT,
      direction: 'long',
      believed: parseFixed(believed),
      actual: parseFixed(held),
    };
    expect(found).toEqual(kind === undefined ? [] : [expected]);
  });

  it('adds the positions of both margin modes, without ended positions', () => {
    const two = parseFixed('2');
    const account = futuresAccount([
      { quantity: two, marginMode: 'cross' },
      { quantity: two },
      { isValid: false },
      { direction: 'short' },
    ]);
    const belief = aBelief({ positions: [aPosition('4')] });

    expect(kinds(belief, aView({ accounts: [account] }))).toEqual([]);
  });

  it('waits for orders that may explain a position', () => {
    const order = anOrder();
    const belief = aBelief({ orders: [order], positions: [aPosition('0')] });

    expect(kinds(belief, aView({ accounts: [futuresAccount([{}])] }))).toEqual(['order-missing']);
  });

  it('compares positions only if the account is shown', () => {
    const belief = aBelief({ positions: [aPosition('3')] });

    expect(kinds(belief, aView())).toEqual([]);
  });
});

describe('reconcile, balances', () => {
  it.each([
    ['as believed', ['70', '30'], undefined],
    ['more than believed', ['500', '400'], undefined],
    ['less held for orders, as without their fees', ['75', '25'], undefined],
    ['short by dust', ['69.99', '30'], undefined],
    ['short', ['69.98', '30'], '99.98'],
    // The additional locked amount belongs to orders of others.
    ['there and held for others', ['60', '40'], '90'],
  ] as const)('compares an asset that is %s', (_, balance, actual) => {
    const terms = { locked: parseFixed('30'), tolerance: parseFixed('0.01') };
    const belief = aBelief({ balances: [aBalance('70', terms)] });

    const found = reconcile(belief, aView({ accounts: [spotAccount({ USDT: balance })] }));

    const short = {
      kind: 'balance-short',
      account: 'spot',
      asset: 'USDT',
      believed: parseFixed('100'),
    };
    expect(found).toEqual(actual === undefined ? [] : [{ ...short, actual: parseFixed(actual) }]);
  });

  it('treats an asset that the venue does not show as gone', () => {
    const belief = aBelief({ balances: [aBalance('70')] });

    expect(kinds(belief, aView({ accounts: [spotAccount({})] }))).toEqual(['balance-short']);
  });

  it('compares futures balances by the available amount', () => {
    const belief = aBelief({ balances: [aBalance('70', { account: 'futures' })] });
    const rich = futuresAccount([], { available: parseFixed('70') });
    const poor = futuresAccount([], { available: parseFixed('69') });

    expect(kinds(belief, aView({ accounts: [rich] }))).toEqual([]);
    expect(kinds(belief, aView({ accounts: [poor] }))).toEqual(['balance-short']);
  });

  it('counts what the venue holds for the own orders, at another mark than the bot', () => {
    const terms = { locked: parseFixed('30'), mostLocked: parseFixed('35') };
    const belief = aBelief({ balances: [aBalance('70', { account: 'futures', ...terms })] });
    const kindsAt = (available: string, locked: string): readonly string[] => {
      const amounts = { available: parseFixed(available), locked: parseFixed(locked) };
      return kinds(belief, aView({ accounts: [futuresAccount([], amounts)] }));
    };

    expect(kindsAt('65', '35')).toEqual([]);
    expect(kindsAt('64', '36')).toEqual(['balance-short']);
  });

  it('waits only for orders of the same account that may explain a balance', () => {
    const onSpot = anOrder(aLimitRequest());
    const accounts = [spotAccount({})];
    const balances = [aBalance('70')];

    const waiting = kinds(
      aBelief({ orders: [onSpot], balances }),
      aView({ instrumentId: SPOT, accounts }),
    );
    const others = kinds(aBelief({ orders: [anOrder()], balances }), aView({ accounts }));

    expect(waiting).toEqual(['order-missing']);
    expect(others).toEqual(['order-missing', 'balance-short']);
  });
});
