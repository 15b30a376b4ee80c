import type { ClockReading } from '../../client/index.js';
import { ConfigError } from '../../domain/index.js';
import { patiently, type PatienceOptions } from '../../live/index.js';
import type { SessionConfig } from '../../config/index.js';
import type { LiveConnection, MachineTime } from './live-connection.js';

/** Between two looks at a venue's clock. */
const WINDOW_MS = 300;
/** Looks that must agree: a clock that was set in between has not another rate. */
const WINDOWS = 3;
/** Of the rate: far beyond what a clock drifts, and below twice as fast. */
const TOLERANCE = 0.5;

/**
 * Sees that the clock of a venue goes as this machine's does: a bot counts its timers, polls and limits by the machine.
 *
 * @throws {ConfigError} `E_VENUE_CLOCK` for one that races or stands, as that of a local exchange does that is accelerated or in lockstep; errors
 * of the venue.
 */
export async function verifyClock(
  config: SessionConfig,
  { clock }: Pick<LiveConnection, 'clock'>,
  machine: MachineTime,
  patience: Omit<PatienceOptions, 'time'> = {},
): Promise<void> {
  const { signal = new AbortController().signal } = patience;
  const read = (): Promise<ClockReading> =>
    patiently(() => clock.measure(signal), { ...patience, time: machine });
  let before = await read();
  let rate = 1;
  for (let window = 0; window < WINDOWS; window += 1) {
    await new Promise<void>((resolve) => {
      machine.after(WINDOW_MS, resolve);
    });
    const now = await read();
    const elapsedMs = now.measuredAt - before.measuredAt;
    const doubtMs = now.uncertaintyMs + before.uncertaintyMs;
    const gainedMs = now.offsetMs - before.offsetMs;
    rate = 1 + gainedMs / elapsedMs;
    if (Math.abs(gainedMs) <= TOLERANCE * elapsedMs + doubtMs) return;
    before = now;
  }
  throw new ConfigError('E_VENUE_CLOCK', {
    location: { file: config.name, key: clock.key },
    expected:
      "a venue whose clock goes as this machine's: a bot's timers, polls and limits go by it",
    received:
      rate < TOLERANCE ? 'one that stands' : `one that goes ${rate.toFixed(0)} times as fast`,
    suggestion:
      'bots follow "exchange --clock realtime"; what takes long is for "parity", or for "backtest"',
  });
}
