import { hostname } from 'node:os';
import path from 'node:path';
import { nounOf, SECOND_MS, UsageError } from '../../domain/index.js';
import { QueueWorker, type Trust } from '../../queue/index.js';
import type { CliContext } from '../cli-context.js';
import { startTrialRunner } from '../sweep/trial-threads.js';
import { jobsFor } from '../threads/jobs.js';
import { proveInputs } from './prove-inputs.js';
import { openQueue, readAllowed, readSeal, requireAddress } from './queue-access.js';
import { queueClock } from './queue-clock.js';
import type { AccessFlags } from './queue-options.js';

/** Options of `worker` as commander parses them. */
export interface WorkerFlags extends AccessFlags {
  readonly archive: string;
  readonly plugins?: string;
  readonly secretFile?: string;
  readonly allow?: string;
  readonly jobs?: number;
  readonly lock: number;
  readonly name?: string;
}

/** Runs `worker` until it is interrupted or asked to terminate. */
export async function runWorker(flags: WorkerFlags, context: CliContext): Promise<void> {
  const address = await requireAddress(flags, context);
  const trust = await readTrust(flags, context);
  const archive = path.resolve(context.cwd, flags.archive);
  const plugins =
    flags.plugins === undefined ? `${archive}.plugins` : path.resolve(context.cwd, flags.plugins);
  const jobs = jobsFor(Infinity, flags.jobs);
  const name = flags.name ?? `${hostname()}-${String(process.pid)}`;
  context.endsInOrder?.();
  context.watchInterrupts?.();
  context.forgetSecrets?.();
  const { server, board } = await openQueue(address, context);
  const say = (line: string): void => {
    context.stderr.write(`${line}\n`);
  };
  const finish = new AbortController();
  const forget = context.onTerminate?.(() => {
    finish.abort();
  });
  const interrupt = (): void => {
    say('finishing the current work; Ctrl-C again ends at once');
    finish.abort();
  };
  context.signal.addEventListener('abort', interrupt);
  const threads = `${String(jobs)} ${nounOf(jobs, 'thread')}`;
  say(`worker ${name} with ${threads} waits for searches on ${address.shown}`);
  try {
    const worker = new QueueWorker({
      ...{ server, board, name, jobs, trust, say },
      time: queueClock,
      lockMs: flags.lock * SECOND_MS,
      finish: finish.signal,
      prepare: async (search, searchName) => {
        const folders = { archive, plugins };
        const setup = await proveInputs(search, { name: searchName, folders, context });
        return startTrialRunner(context, setup, jobs);
      },
    });
    await worker.work();
  } finally {
    forget?.();
    context.signal.removeEventListener('abort', interrupt);
    server.close();
  }
}

/** @throws {UsageError} `E_QUEUE_TRUST` if the worker would run every plugin. */
async function readTrust(flags: WorkerFlags, context: CliContext): Promise<Trust> {
  const seal = await readSeal(flags, context);
  const allowed = flags.allow === undefined ? undefined : await readAllowed(flags.allow, context);
  if (seal !== undefined || allowed !== undefined) return { seal, allowed };
  throw new UsageError(
    'E_QUEUE_TRUST',
    'a queue brings code that this machine runs: share a secret with the coordinator (EVENKEEL_QUEUE_SECRET or --secret-file), or list the hashes of allowed plugins (--allow FILE)',
  );
}
