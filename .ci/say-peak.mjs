/**
 * Loaded before a program (`node --import`). At its end, writes the peak resident memory of the process in KiB to the file that
 * EVENKEEL_PEAK names. On Linux it takes the kernel's figure, which counts from the start of the program. The figure of `process.resourceUsage`
 * begins with that of the parent process.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const STATUS = '/proc/self/status';

process.on('exit', () => {
  const counted = existsSync(STATUS) ? /VmHWM:\s+(\d+)/.exec(readFileSync(STATUS, 'utf8')) : null;
  writeFileSync(process.env.EVENKEEL_PEAK, counted?.[1] ?? String(process.resourceUsage().maxRSS));
});
