import type { ClockReading } from '../../../client/index.js';
import type { SessionConfig } from '../../../config/index.js';
import { ConfigError } from '../../../domain/index.js';
import { patiently, type PatienceOptions } from '../../../live/index.js';
import type { LiveConnection, MachineTime } from '../connection/live-connection.js';

/** Time between two readings of a venue's clock. */
const WINDOW_MS = 300;
/** Readings that must all show a wrong rate: a clock that was set once between two readings does not have another rate. */
const WINDOWS = 3;
/** Tolerance of the rate: far more than the drift of a clock, and less than twice as fast. */
const TOLERANCE = 0.5;

/**
 * Checks that the clock of a venue runs as fast as this machine's: a bot counts its timers, polls and limits by the machine.
 *
 * @throws {ConfigError} `E_VENUE_CLOCK` for a clock that is too fast or stands, such as that of an accelerated or lockstep local exchange; errors of the
 * venue.
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
      "a venue whose clock runs as fast as this machine's: a bot's timers, polls and limits follow it",
    received:
      rate < TOLERANCE
        ? 'a clock that stands still'
        : `a clock that runs ${rate.toFixed(0)} times as fast`,
    suggestion:
      'start the exchange with --clock realtime; for long periods use "parity" or "backtest"',
  });
}
