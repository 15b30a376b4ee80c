import { describe, expect, it } from 'vitest';
import { completeAccount } from '../../../src/local-exchange/accounts/account-draft.js';

describe('completeAccount', () => {
  it.each<[unknown, string]>([
    ['x', 'account: expected an object, received "x"'],
    [{}, 'account name: expected a name of letters, digits, ".", "_" and "-", received nothing'],
    [
      { name: 'a', userId: 5 },
      'account userId: expected a quoted whole number of up to 15 digits, received 5',
    ],
    [
      { name: 'a', balances: { spot: { USDT: 5 } } },
      'account balances.spot.USDT: expected a quoted decimal >= 0, received 5',
    ],
    [
      { name: 'a', balances: { spot: { usdt: '5' } } },
      'account balances.spot.usdt: expected an asset in capitals such as USDT, received "usdt"',
    ],
    [
      { name: 'a', leverage: 5 },
      'account leverage: expected a quoted whole number from 1 to 999, received 5',
    ],
    [
      { name: 'a', marginMode: 'both' },
      'account marginMode: expected one of cross, isolated, received "both"',
    ],
    [
      { name: 'a', fees: { spot: { maker: '-0.002', taker: '0.001' } } },
      'account fees.spot.maker: expected at least -0.001, what takers pay, received "-0.002"',
    ],
    [{ name: 'a', extra: 1 }, 'account: expected known keys, received "extra"'],
  ])('says what it expected and received of %j', (written, message) => {
    const complete = () => completeAccount(written, { randomText: () => 'r', taken: [] });

    expect(complete).toThrow(expect.objectContaining({ code: 'E_ACCOUNT', message }));
  });

  it('takes a rebate for makers', () => {
    const fees = { futures: { maker: '-0.0001', taker: '0.0006' } };
    const account = completeAccount({ name: 'a', fees }, { randomText: () => 'r', taken: [] });

    expect(account.fees.futures).toEqual(fees.futures);
  });

  it.each([
    ['key', { name: 'a', key: 'secret text' }],
    ['secret', { name: 'a', secret: 'secret text' }],
  ])('shows no wrong %s', (member, written) => {
    const complete = () => completeAccount(written, { randomText: () => 'r', taken: [] });

    expect(complete).toThrow(
      `account ${member}: expected 1 to 128 printable characters without blanks, received another value`,
    );
  });
});
