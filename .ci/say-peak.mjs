/**
 * Loaded before a program (`node --import`), writes at its end the peak resident memory of the process in KiB to the file that
 * EVENKEEL_PEAK names. On Linux that is what the kernel counted since the program began: the figure of `process.resourceUsage` begins with
 * that of the process which started it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const STATUS = '/proc/self/status';

process.on('exit', () => {
  const counted = existsSync(STATUS) ? /VmHWM:\s+(\d+)/.exec(readFileSync(STATUS, 'utf8')) : null;
  writeFileSync(process.env.EVENKEEL_PEAK, counted?.[1] ?? String(process.resourceUsage().maxRSS));
});
