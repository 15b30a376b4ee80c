import { DataError, InvariantError } from '../../domain/index.js';
import type { AuditJob, AuditRun, AuditRunner } from '../../research/index.js';
import type { CliContext, CreateAuditRunner } from '../cli-context.js';
import { createThreadPool } from '../threads/thread-pool.js';
import type { AuditSetup } from './audit-ground.js';

const inThreads: CreateAuditRunner = async (setup, jobs) => {
  const pool = await createThreadPool<AuditSetup, AuditJob, AuditRun>({
    entry: new URL('./run-audit.thread.js', import.meta.url),
    run: 'runAuditInThread',
    jobs,
    setup,
  });
  return {
    jobs: pool.jobs,
    run: (job) => pool.run(job).catch(describeCrash),
    close: () => pool.close(),
  };
};

/** A strategy that breaks its thread, by a rejected promise, has failed. Errors of data and broken invariants are not the strategy's fault. */
function describeCrash(error: unknown): AuditRun {
  if (error instanceof DataError || error instanceof InvariantError) throw error;
  const message = error instanceof Error ? error.message : String(error);
  return {
    outcome: { status: 'failed', code: 'E_TRIAL_CRASHED', message },
    trace: [],
    bytes: undefined,
    fields: {},
    drawsRandom: false,
    rules: [],
    warmups: [],
  };
}

/** Starts the runner of the jobs of an audit, with `jobs` jobs at once. An interrupt closes it. The caller must close it. */
export async function startAuditRunner(
  { createAuditRunner = inThreads, signal }: Pick<CliContext, 'createAuditRunner' | 'signal'>,
  setup: AuditSetup,
  jobs: number,
): Promise<AuditRunner> {
  signal.throwIfAborted();
  const runner = await createAuditRunner(setup, jobs);
  const interrupt = (): void => void runner.close();
  signal.addEventListener('abort', interrupt);
  return {
    jobs: runner.jobs,
    run: async (job) => {
      signal.throwIfAborted();
      try {
        return await runner.run(job);
      } finally {
        // The result of an interrupted run is not used.
        signal.throwIfAborted();
      }
    },
    close: () => {
      signal.removeEventListener('abort', interrupt);
      return runner.close();
    },
  };
}
