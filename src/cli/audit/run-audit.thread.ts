/** What runs in each thread of an audit: it is set up once, and then runs one job after the other. */
import { workerData } from 'piscina';
import { sendConsoleToStderr } from '../console-to-stderr.js';
import { answering } from '../threads/thread-answer.js';
import { openAuditGround, type AuditSetup } from './audit-ground.js';
import { shiftClock } from './shift-clock.js';

sendConsoleToStderr();
const setup = workerData as AuditSetup;
// Before the plugin is loaded, which may keep the clock that it finds.
if (setup.clockOffsetMs !== 0) shiftClock(setup.clockOffsetMs);

/** Runs one job. */
export const runAuditInThread = answering(openAuditGround(setup));
