import { openAuditGround, type AuditSetup } from '../../../src/cli/audit/audit-ground.js';
import type { CreateAuditRunner } from '../../../src/cli/cli-context.js';
import type { AuditJob, AuditRun, AuditRunner } from '../../../src/research/index.js';

/** Threads run compiled code; here the jobs of a runner run in the test's own, one after the other, with the plugin loaded anew. */
export const createAuditRunner: CreateAuditRunner = (setup: AuditSetup, jobs) => {
  const run = openAuditGround(setup);
  return Promise.resolve(oneAfterTheOther(run, jobs));
};

/** A runner of this thread. */
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
