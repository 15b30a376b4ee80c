/** Entry of each thread of an audit. It is set up once, and then runs one job after the other. */
import { workerData } from 'piscina';
import { sendConsoleToStderr } from '../console-to-stderr.js';
import { answering } from '../threads/thread-answer.js';
import { openAuditGround, type AuditSetup } from './audit-ground.js';
import { shiftClock } from './shift-clock.js';

sendConsoleToStderr();
const setup = workerData as AuditSetup;
// Shift the clock before the plugin is loaded: the plugin may keep the clock that it finds.
if (setup.clockOffsetMs !== 0) shiftClock(setup.clockOffsetMs);

export const runAuditInThread = answering(openAuditGround(setup));
