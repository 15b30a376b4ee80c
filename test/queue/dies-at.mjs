/**
 * Loaded before a process of the queue. It kills that process, or the server of the queue, with SIGKILL at a drawn place.
 * EVENKEEL_DIES is `PLACE:COUNT:MOMENT:DELAY`: at the COUNT-th time, before or after, and the delay in milliseconds.
 *
 *     result  a worker sends the results of a chunk (later: within the next chunk)
 *     append  a coordinator adds lines to its ledger (before: half of them are written)
 *     sync    a coordinator syncs its ledger
 *
 * EVENKEEL_DIES_FILE names a file with the id of the process to kill, again and again, until a file of that name with `.enough` exists.
 * @default this process
 */
import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

const { EVENKEEL_DIES: plan, EVENKEEL_DIES_FILE: file } = process.env;
if (isMainThread && plan !== undefined && plan !== '') {
  const [place, count, moment, delay] = plan.split(':');
  let left = Number(count);
  const isDue = () => {
    left -= 1;
    if (left !== 0) return false;
    if (file === undefined) return true;
    left = Number(count);
    return !existsSync(`${file}.enough`);
  };
  const die = () => {
    try {
      process.kill(
        file === undefined ? process.pid : Number(readFileSync(file, 'utf8')),
        'SIGKILL',
      );
    } catch {
      // Another process has already killed it.
    }
  };
  /** The same call also adds daily returns, which begin with another character. */
  const isOfLedger = (data) => data[0] === '{'.codePointAt(0);
  const dieThen = () => {
    if (Number(delay) === 0) die();
    else setTimeout(die, Number(delay));
  };
  if (place === 'result') {
    const { write } = Socket.prototype;
    Socket.prototype.write = function (data, ...rest) {
      const text = typeof data === 'string' ? data : Buffer.from(data).toString('latin1');
      if (!text.includes('{"runs":') || !isDue()) return write.call(this, data, ...rest);
      if (moment === 'before') die();
      const written = write.call(this, data, ...rest);
      if (moment === 'after') dieThen();
      return written;
    };
  } else {
    const handle = await open(new URL(import.meta.url));
    const methods = Object.getPrototypeOf(handle);
    await handle.close();
    const { datasync, appendFile } = methods;
    methods.datasync = async function () {
      const due = place === 'sync' && isDue();
      if (due && moment === 'before') die();
      await datasync.call(this);
      if (due) dieThen();
    };
    methods.appendFile = async function (data) {
      const due = place === 'append' && isOfLedger(data) && isDue();
      if (due && moment === 'before') {
        // If this process survives, it writes the whole.
        if (file === undefined) await appendFile.call(this, data.subarray(0, data.length >> 1));
        die();
      }
      await appendFile.call(this, data);
      if (due) dieThen();
    };
  }
}
