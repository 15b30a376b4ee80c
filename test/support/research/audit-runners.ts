import { openAuditGround, type AuditSetup } from '../../../src/cli/audit/audit-ground.js';
import type { CreateAuditRunner } from '../../../src/cli/cli-context.js';
import type { AuditJob, AuditRun, AuditRunner } from '../../../src/research/index.js';

/** A runner without threads, because threads run compiled code. The jobs run in the test's thread, one after the other, each with a new load of the plugin. */
export const createAuditRunner: CreateAuditRunner = (setup: AuditSetup, jobs) => {
  const run = openAuditGround(setup);
  return Promise.resolve(oneAfterTheOther(run, jobs));
};

/** A runner that runs its jobs in this thread, one after the other. */
export function oneAfterTheOther(run: (job: AuditJob) => Promise<AuditRun>, jobs = 1): AuditRunner {
  let before: Promise<unknown> = Promise.resolve();
  return {
    jobs,
    run: (job) => {
      const ended = before.then(() => run(job));
      before = ended.catch(() => undefined);
      return ended;
    },
    close: () => Promise.resolve(),
  };
}
