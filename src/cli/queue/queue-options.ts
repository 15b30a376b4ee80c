import { Option, type Command } from 'commander';
import { wholeNumber } from '../whole-number.js';

const MOST_PRIORITY = 1_000;
const MOST_WAIT_S = 1_000_000;

/** Options that name a queue, as commander parses them. */
export interface AccessFlags {
  readonly queue?: string;
  readonly queueFile?: string;
  readonly forceOpenQueue?: true;
  readonly queueCa?: string;
}

/** Options of commands whose combinations workers can run. */
export interface QueueFlags extends AccessFlags {
  readonly secretFile?: string;
  readonly priority?: number;
  /** In seconds. */
  readonly workerWait?: number;
}

/** Adds the options that name a queue. */
export function addAccessOptions(command: Command): Command {
  return command
    .option(
      '--queue <url>',
      'queue on Redis, such as redis://127.0.0.1:6379 (rediss: with TLS); env: the URL in EVENKEEL_QUEUE',
    )
    .option('--queue-file <file>', 'file with the URL of the queue, which may have a password')
    .option(
      '--queue-ca <file>',
      'certificate (PEM) of the authority that signed the certificate of the queue (default: those that Node trusts)',
    )
    .option('--force-open-queue', 'allow a queue without a password on another machine');
}

export const secretOption = (): Option =>
  new Option(
    '--secret-file <file>',
    'file with the shared secret of coordinator and workers (default: EVENKEEL_QUEUE_SECRET)',
  );

/** Adds the options that let workers of a queue run the combinations instead of threads. */
export function addQueueOptions(command: Command): Command {
  return addAccessOptions(command)
    .addOption(secretOption())
    .addOption(
      new Option(
        '--priority <number>',
        'priority of the search; the smallest number runs first (default: 100)',
      ).argParser(wholeNumber(1, MOST_PRIORITY)),
    )
    .addOption(
      new Option(
        '--worker-wait <seconds>',
        'end if no worker has served the search for this time (default: wait, and report it once a minute)',
      ).argParser(wholeNumber(1, MOST_WAIT_S)),
    );
}
