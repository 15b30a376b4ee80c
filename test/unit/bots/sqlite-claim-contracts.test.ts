import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { claimContracts, type Claimant } from '../../../src/bots/claim-contracts.js';
import type { SocketPlace } from '../../../src/bots/control/control-path.js';
import { Secret } from '../../../src/client/index.js';
import { rejectionOf } from '../../support/failure.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const KEY = 'key-of-a-test-0123456789';

async function aPlace(): Promise<SocketPlace> {
  return { runtimeFolder: await temporaryFolder(), userId: process.getuid?.() ?? 0 };
}

function aBot(
  symbols: readonly string[],
  {
    key = KEY,
    url = 'http://127.0.0.1:8480',
    readOnly = false,
  }: { readonly key?: string; readonly url?: string; readonly readOnly?: boolean } = {},
): Claimant {
  return {
    config: {
      instruments: symbols.map((symbol) => {
        const kind = symbol.startsWith('E-') ? 'futures' : 'spot';
        return { kind, symbol, instrumentId: `${kind}:${symbol}`, readOnly };
      }),
      venue: { spotUrl: url, futuresUrl: url, key: undefined, secret: undefined },
    } as unknown as Claimant['config'],
    credentials: { key: new Secret(key), secret: new Secret('secret-of-a-test') },
  };
}

describe('claimContracts', () => {
  it('refuses a contract that another bot has claimed on the key, and then claims no other contract', async () => {
    const place = await aPlace();
    const first = await claimContracts(aBot(['E-BTC-USDT']), place);

    const failure = await rejectionOf(claimContracts(aBot(['E-ETH-USDT', 'E-BTC-USDT']), place));
    const eth = await claimContracts(aBot(['E-ETH-USDT']), place);

    expect(failure).toMatchObject({ code: 'E_CLAIMED' });
    expect(failure.message).toContain('futures:E-BTC-USDT');
    first.release();
    eth.release();
    (await claimContracts(aBot(['E-ETH-USDT', 'E-BTC-USDT']), place)).release();
  });

  it('allows the same contract with another key or venue, on spot, and for bots that only read', async () => {
    const place = await aPlace();
    const bots = [
      aBot(['E-BTC-USDT', 'BTCUSDT']),
      aBot(['E-BTC-USDT'], { key: 'another-key-of-a-test' }),
      aBot(['E-BTC-USDT'], { url: 'http://127.0.0.1:8481' }),
      aBot(['BTCUSDT']),
      aBot(['E-BTC-USDT'], { readOnly: true }),
    ];

    for (const bot of bots) await claimContracts(bot, place);

    const same = aBot(['E-BTC-USDT'], { url: 'http://127.0.0.1:8480/' });
    expect(await rejectionOf(claimContracts(same, place))).toMatchObject({ code: 'E_CLAIMED' });
  });

  it('keeps its files private, without the key in their names', async () => {
    const place = await aPlace();
    await claimContracts(aBot(['E-BTC-USDT']), place);

    const folder = path.join(place.runtimeFolder, `evenkeel-${String(place.userId)}`);
    const names = await readdir(folder);

    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(names.filter((name) => name.endsWith('.claim'))).toHaveLength(1);
    expect(names.join()).not.toContain(KEY);
  });

  it('respects the claim of another process until that process is killed', async () => {
    const place = await aPlace();
    const claim = await claimContracts(aBot(['E-BTC-USDT']), place);
    claim.release();
    const folder = path.join(place.runtimeFolder, `evenkeel-${String(place.userId)}`);
    const [file = ''] = await readdir(folder);
    const script = `const db = new (require('better-sqlite3'))(${JSON.stringify(path.join(folder, file))});
      db.exec('BEGIN EXCLUSIVE'); console.log('held'); setInterval(() => {}, 1000);`;
    const other = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(other.stdout, 'data');

    const held = await rejectionOf(claimContracts(aBot(['E-BTC-USDT']), place));
    other.kill('SIGKILL');
    await once(other, 'exit');

    expect(held).toMatchObject({ code: 'E_CLAIMED' });
    (await claimContracts(aBot(['E-BTC-USDT']), place)).release();
  });
});
