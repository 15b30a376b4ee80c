import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';

import { refuseOverclaims, SpotClaims } from '../../../../src/assembly/bot/spot-claims.js';
import { aBalance, futuresAccount, spotAccount } from '../../../support/live/beliefs.js';
import type { AccountSnapshot } from '../../../../src/venue/index.js';

const SIGNAL = new AbortController().signal;

/** Checks the claims against a venue that shows the accounts one by one, and the last one for ever. Returns the pauses in ms. */
async function verify(
  claims: SpotClaims,
  ...shown: readonly AccountSnapshot[]
): Promise<readonly number[]> {
  const accounts = [...shown];
  const pauses: number[] = [];
  await refuseOverclaims(claims, {
    source: {
      account: () =>
        Promise.resolve((accounts.length > 1 ? accounts.shift() : accounts[0]) as never),
    },
    signal: SIGNAL,
    pause: (delayMs) => {
      pauses.push(delayMs);
      return Promise.resolve();
    },
  });
  return pauses;
}

/** Claims of bots on amounts of USDT, by bot. */
function claimsOf(amounts: Readonly<Record<string, string>>): SpotClaims {
  const claims = new SpotClaims();
  for (const [bot, amount] of Object.entries(amounts))
    claims.enter(bot, () => [aBalance(amount)], SIGNAL);
  return claims;
}

describe('spot claims of bots with the same key', () => {
  it('are refused if larger than the account, with bots and amounts', async () => {
    const claims = claimsOf({ one: '60', two: '50' });

    await expect(verify(claims, spotAccount({ USDT: ['80', '20'] }))).rejects.toMatchObject({
      code: 'E_ALLOCATION',
      message: expect.stringContaining('60 of one and 50 of two, of 100 USDT') as string,
    });
  });

  it('do not read the account if no two bots claim the same spot asset', async () => {
    const claims = claimsOf({ one: '60' });
    claims.enter('two', () => [aBalance('60', { account: 'futures' })], SIGNAL);
    claims.enter('three', () => [aBalance('60', { asset: 'BTC' })], SIGNAL);

    // The venue has no account to show.
    expect(await verify(claims)).toEqual([]);
  });

  it('may use the whole balance, free or locked', async () => {
    const claims = claimsOf({ one: '60', two: '50' });

    expect(await verify(claims, spotAccount({ USDT: ['10', '100'] }))).toEqual([]);
  });

  it('are checked again after a pause before they are refused', async () => {
    const claims = claimsOf({ one: '60', two: '50' });
    const [before, after] = [
      spotAccount({ USDT: ['90', '0'] }),
      spotAccount({ USDT: ['110', '0'] }),
    ];

    expect(await verify(claims, before, after)).toEqual([10_000]);
  });

  it('are not checked for an asset that only one bot claims, or for another account', async () => {
    const claims = claimsOf({ one: '60' });
    claims.enter('two', () => [aBalance('50', { account: 'futures' })], SIGNAL);

    expect(await verify(claims, spotAccount({ USDT: ['10', '0'] }))).toEqual([]);
    expect(await verify(claims, futuresAccount([]))).toEqual([]);
  });

  it('end with their bot', async () => {
    const claims = claimsOf({ one: '60' });
    const controller = new AbortController();
    claims.enter('two', () => [aBalance('50')], controller.signal);

    controller.abort();

    expect(await verify(claims, spotAccount({ USDT: ['60', '0'] }))).toEqual([]);
  });

  it('hear the end of a bot once, however often it enters', async () => {
    const claims = claimsOf({ one: '60' });
    const controller = new AbortController();
    for (const amount of ['10', '20', '50'])
      claims.enter('two', () => [aBalance(amount)], controller.signal);

    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    await expect(verify(claims, spotAccount({ USDT: ['100', '0'] }))).rejects.toThrow('50 of two');
    controller.abort();
    expect(await verify(claims, spotAccount({ USDT: ['60', '0'] }))).toEqual([]);
  });
});
