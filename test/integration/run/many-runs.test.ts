import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../src/run/index.js';
import { Crossing, DESCRIPTION, hourlyCandles } from '../../support/run/hourly-description.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const isLong = process.env['EVENKEEL_LONG'] === '1';

describe.runIf(isLong)('a thousand runs in one process', () => {
  it('hold no memory when they have ended', () => {
    const program = ['./.ci/bench-loader.mjs', 'test/support/run/thousand-runs.ts'];
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--expose-gc', '--import', ...program],
      { cwd: ROOT, encoding: 'utf8' },
    );

    expect(stderr).toBe('');
    // One KiB per run would show. A run uses some hundreds of KiB while it lasts.
    expect(Number(stdout)).toBeLessThan(1024 * 1024);
  }, 600_000);
});

describe.runIf(isLong)('a run that is aborted at any instant', () => {
  it('rejects within 100 ms', async () => {
    const candles = [
      { instrument: 'spot:BTCUSDT', interval: '1h', candles: hourlyCandles(200_000) },
    ] as const;
    const slowest = [];
    // Aborts by progress, not only by time: a fast machine ends the run within a second.
    for (const { delay, share } of [
      ...[0, 1, 20].map((delay) => ({ delay, share: 0 })),
      ...[0.05, 0.3, 0.5, 0.8].map((share) => ({ delay: 0, share })),
    ]) {
      const controller = new AbortController();
      let abortedAt = Number.NaN;
      let isSet = false;
      const abortSoon = (): void => {
        isSet = true;
        setTimeout(() => {
          abortedAt = performance.now();
          controller.abort();
        }, delay);
      };
      if (share === 0) abortSoon();
      const failure: unknown = await runBacktest({
        config: DESCRIPTION,
        strategy: Crossing,
        candles,
        signal: controller.signal,
        onProgress: ({ done, total }) => {
          if (!isSet && done >= share * total) abortSoon();
        },
      }).catch((error: unknown) => error);
      slowest.push(performance.now() - abortedAt);
      expect(failure).toMatchObject({ code: 'E_RUN_ABORTED' });
    }
    console.log(
      `from the signal to the error: ${slowest.map((ms) => ms.toFixed(1)).join(', ')} ms`,
    );
    expect(Math.max(...slowest)).toBeLessThan(100);
  });
});
