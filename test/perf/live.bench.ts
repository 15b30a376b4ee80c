/**
 * The time that a live bot takes from the answer of a poll to the order: from the bytes of 2 klines at the client to the signed request at
 * undici, through decoding, feed, engine with two averages, risk, journal, command queues and client. The venue is the local exchange in this
 * process; its time is not counted. Beside it the cost of two averages and an order written by hand.
 */
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parseFixed } from '../../src/domain/index.js';
import { NO_JOURNAL, startingCheckpoint } from '../../src/engine/index.js';
import { openJournal, type SqliteJournal } from '../../src/journal/index.js';
import { openLiveSession, type LiveSession } from './live-session.js';
import { measure, median, type Case } from './measure.js';

const ORDERS = Number(process.env['ORDERS'] ?? 300);
const TIME = { unit: 'µs', better: 'less' } as const;
const HAND_WRITTEN = 'by hand, unsigned';

/** Two klines as the venue writes them. */
const KLINES = Buffer.from(
  JSON.stringify(
    [0, 1].map((at) => ({
      idx: 1_736_942_400_000 + at * 60_000,
      open: '60012.31',
      close: '60020.02',
      high: '60031.55',
      low: '60001.27',
      vol: '13.20112',
    })),
  ),
);
const closes = Array.from({ length: 30 }, (_, at) => 60_000 + (at % 7));

/** Parses the answer, sums two windows and writes the order. Returns it, so that nothing is optimized away. */
function byHand(signs: boolean): string {
  const rows = JSON.parse(KLINES.toString('utf8')) as readonly { readonly close: string }[];
  closes.shift();
  closes.push(Number(rows[0]?.close));
  let [fast, slow] = [0, 0];
  for (let at = 0; at < 30; at += 1) {
    const close = closes[at] ?? 0;
    slow += close;
    if (at >= 20) fast += close;
  }
  const side = fast / 10 > slow / 30 ? 'BUY' : 'SELL';
  const body = `{"symbol":"BTCUSDT","volume":1000,"side":"${side}","type":"MARKET","newClientOrderId":"ek-1"}`;
  if (!signs) return body;
  const timestamp = String(Date.now());
  return createHmac('sha256', 'secret')
    .update(`${timestamp}POST/sapi/v1/order${body}`)
    .digest('hex');
}

function handWritten(signs: boolean): number {
  const samples = Array.from({ length: ORDERS }, () => {
    const start = performance.now();
    byHand(signs);
    return (performance.now() - start) * 1_000;
  });
  return median(samples);
}

const scratch = mkdtempSync(join(tmpdir(), 'evenkeel-live-'));
const journals: SqliteJournal[] = [];
const sessions: LiveSession[] = [];

async function journalIn(name: string): Promise<SqliteJournal> {
  const journal = await openJournal({ file: join(scratch, `${name}.journal`) });
  journal.beginEpoch({
    bot: 'bench',
    mode: 'live',
    hashes: { plugin: '', parameters: '', config: '', terms: '', engine: '' },
    seed: 1,
    constructed: 0,
    started: 0,
    source: { configFile: '/bench.yaml', set: [] },
    checkpoint: startingCheckpoint({ spot: new Map([['USDT', parseFixed('100000')]]) }),
  });
  journals.push(journal);
  return journal;
}

/** Opens a session. Its cases are the median and the 99th percentile of the orders of one round. */
async function casesOf(
  product: 'spot' | 'futures',
  isJournalled: boolean,
): Promise<readonly Case[]> {
  const journal = isJournalled ? await journalIn(product) : NO_JOURNAL;
  const session = await openLiveSession(product, journal);
  sessions.push(session);
  const name = `${product}, ${isJournalled ? 'with its journal on the disk' : 'without a journal'}`;
  let samples: readonly number[] = [];
  return [
    {
      ...TIME,
      name,
      reference: HAND_WRITTEN,
      run: async () => {
        const taken: number[] = [];
        for (let order = 0; order < ORDERS; order += 1) taken.push(await session.candle());
        samples = taken.toSorted((a, b) => a - b);
        return median(samples);
      },
    },
    {
      ...TIME,
      name: `${name}, p99`,
      run: () => samples[Math.ceil(samples.length * 0.99) - 1] ?? Number.NaN,
    },
  ];
}

try {
  await measure(
    [
      { ...TIME, name: HAND_WRITTEN, run: () => handWritten(false) },
      { ...TIME, name: 'by hand, signed', run: () => handWritten(true) },
      ...(await casesOf('spot', false)),
      ...(await casesOf('spot', true)),
      ...(await casesOf('futures', false)),
      ...(await casesOf('futures', true)),
    ],
    { rounds: 5, warmups: 2 },
  );
} finally {
  for (const session of sessions) await session.close();
  for (const journal of journals) journal.close();
  rmSync(scratch, { recursive: true });
}
