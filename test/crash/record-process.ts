/**
 * A recorder of a market that is the same in every process, at its own speed. Arguments: folder, market time of its start, and the minute from which on it
 * dies within a write. It prints the time after each minute. SIGTERM ends it in order.
 */
import { MINUTE_MS } from '../../src/domain/index.js';
import { RecordRig } from '../support/record-rig.js';

const [folder = '', start = '', deadly = ''] = process.argv.slice(2);
const rig = new RecordRig(folder, { start: Number(start), stepMs: 15_000 });
const end = new AbortController();
process.once('SIGTERM', () => {
  end.abort();
});
await rig.start();
for (let minute = 0; !end.signal.aborted; minute += 1) {
  if (deadly !== '' && minute === Number(deadly)) rig.killWriting();
  await rig.pass(MINUTE_MS);
  // The write is on the disk by half.
  if (!rig.isAlive) process.kill(process.pid, 'SIGKILL');
  if (rig.failure !== undefined) throw rig.failure as Error;
  process.stdout.write(`${String(rig.now())}\n`);
}
for (const { name, gaps } of await rig.stop())
  process.stdout.write(`${name} ${String(gaps.length)}\n`);
process.exit();
