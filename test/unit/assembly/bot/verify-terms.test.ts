import { describe, expect, it } from 'vitest';

import type { SessionConfig } from '../../../../src/assembly/index.js';
import { refuseUnverified, verifyTerms } from '../../../../src/assembly/bot/terms/verify-terms.js';
import { parseFixed } from '../../../../src/domain/index.js';
import type { FuturesAccountSnapshot, VenueOrder } from '../../../../src/venue/index.js';
import { anOrder, CONTRACT, futuresAccount, shown } from '../../../support/live/beliefs.js';
import { rejectionOf } from '../../../support/failure.js';

const FIVE = parseFixed('5');

function aConfig(positionMode: 'hedge' | 'oneWay'): SessionConfig {
  return {
    name: 'bot',
    instruments: [
      { kind: 'spot', instrumentId: 'spot:BTCUSDT' },
      { kind: 'futures', instrumentId: CONTRACT, leverage: FIVE, marginMode: 'isolated' },
    ],
    simulation: { futures: { positionMode } },
  } as unknown as SessionConfig;
}

function aReader(account: FuturesAccountSnapshot, rows: readonly VenueOrder[]) {
  const read: string[] = [];
  const source = {
    async *orderHistory(instrumentId: string) {
      read.push(instrumentId);
      yield* rows;
    },
  };
  const { signal } = new AbortController();
  return { read, reader: { account: () => Promise.resolve(account), source, signal } };
}

const aRow = (leverage: string): VenueOrder =>
  shown(anOrder(), { leverage: parseFixed(leverage), marginMode: 'isolated', status: 'filled' });

describe('verifyTerms', () => {
  it('accepts the terms of an open position without reading the order history', async () => {
    const { read, reader } = aReader(futuresAccount([{}]), []);

    expect(await verifyTerms(aConfig('oneWay'), reader)).toEqual([]);
    expect(read).toEqual([]);
  });

  it('does not check a read-only contract', async () => {
    const { read, reader } = aReader(futuresAccount([]), [aRow('20')]);
    const config = aConfig('oneWay');
    const instruments = config.instruments.map((each) => ({ ...each, readOnly: true }));

    expect(await verifyTerms({ ...config, instruments }, reader)).toEqual([]);
    expect(read).toEqual([]);
  });

  it('checks the newest order if there is no position', async () => {
    const { reader } = aReader(futuresAccount([]), [aRow('5')]);

    expect(await verifyTerms(aConfig('oneWay'), reader)).toEqual([]);
  });

  it('refuses different terms, with the configured and the actual value', async () => {
    const { reader } = aReader(futuresAccount([]), [aRow('20')]);

    const failure = await rejectionOf(verifyTerms(aConfig('oneWay'), reader));

    expect(failure).toMatchObject({ code: 'E_TERMS_DIFFER' });
    expect(failure.message).toContain(
      `expected the leverage of ${CONTRACT} to be 5, received 20 in its newest order`,
    );
  });

  it('returns terms that nothing at the venue shows', async () => {
    const { reader } = aReader(futuresAccount([]), []);

    const unverified = await verifyTerms(aConfig('hedge'), reader);

    expect(unverified).toEqual([
      {
        kind: 'terms-unverified',
        instrumentId: CONTRACT,
        terms: ['leverage', 'marginMode', 'positionMode'],
      },
    ]);
    expect(() => {
      refuseUnverified({ name: 'bot' }, unverified);
    }).toThrow(
      `received nothing that shows leverage, marginMode, positionMode of ${CONTRACT}; start once with --probe`,
    );
  });
});
