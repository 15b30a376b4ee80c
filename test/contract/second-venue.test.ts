import { describe, expect, it } from 'vitest';

import { fixed } from '../../src/run/index.js';
import { venueContract, type ContractVenue } from '../../src/testing/index.js';
import { brokenOf, passes } from '../unit/testing/contracts/broken-of.js';
import { LineServer, type Fault } from './second-venue/line-server.js';
import { lineVenue } from './second-venue/line-venue.js';
import { PAIR } from './second-venue/line-wire.js';

function aVenue(fault?: Fault): () => Promise<ContractVenue> {
  return () => {
    return Promise.resolve({
      ...lineVenue(new LineServer({ fault })),
      spot: {
        id: PAIR,
        restingBid: fixed('60000'),
        restingAsk: fixed('70000'),
        fillingBid: fixed('65010.01'),
        fillingAsk: fixed('64990.01'),
        quantity: fixed('0.01'),
      },
      settle: () => Promise.resolve(),
      close: () => Promise.resolve(),
    });
  };
}

describe('the contract of a venue', () => {
  passes('a venue with another wire format', venueContract(aVenue()));

  it.each<readonly [Fault, RegExp]>([
    ['loses orders', /expected one working order, received 0/],
    ['tells fills twice', /expected a unique id for each fill, received 2 fills, 1 ids/],
    ['does not cancel', /expected no working order, received 1/],
    ['rounds to tenths', /expected the quantity of all fills to be 0\.01, received 0/],
    ['moves no balance', /expected the change of BTC to be 0\.00999, received 0/],
    ['hides fees', /expected the change of BTC to be 0\.01, received 0\.00999/],
    ['locks nothing', /expected 600 USD locked at least, received 0/],
    [
      'renames orders',
      /expected the order to be {"id":"1","clientOrderId":"contract-1",.*, received {"id":"1","clientOrderId":"x-contract-1",/,
    ],
    ['takes everything', /expected a refusal of 0\.000000000000000001 with its code, received acc/],
  ])('catches a venue that %s', async (fault, said) => {
    expect(await brokenOf(venueContract(aVenue(fault)))).toMatch(said);
  });
});
