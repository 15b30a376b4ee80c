/** How long a command may take to end after the first Ctrl-C. */
export interface InterruptPatience {
  /** Whether the command may take as long as it needs. Only a second Ctrl-C ends it then. */
  isEndless: boolean;
  /** Otherwise it may take so many milliseconds. */
  readonly limitMs: number;
  /** How many strategy files are being loaded. While one loops for ever, no other thread than the one of Ctrl-C can say so. */
  readonly loading: number;
  /** Counts a strategy file that is loaded from now on (1), or no longer (-1), and wakes a thread that waits for a change. */
  readonly addLoading: (change: 1 | -1) => void;
  /** Returns true once the count of loaded files is another than `seen`, and false after `timeoutMs`. Blocks its thread. */
  readonly awaitLoading: (seen: number, timeoutMs: number) => boolean;
  /** Memory of the state, to share with another thread. */
  readonly shared: Int32Array;
}

/** Long enough for a command that hears Ctrl-C to stop its threads and to close its files, even on a busy machine. */
const LIMIT_MS = 1_500;

/** Places in the shared memory. */
const [ENDLESS, LOADING, PLACES] = [0, 1, 2];

/** Makes the patience of a process, or that of a thread from the memory that it shares with the process. */
export function interruptPatience(
  shared = new Int32Array(new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT)),
): InterruptPatience {
  return {
    get isEndless() {
      return Atomics.load(shared, ENDLESS) === 1;
    },
    set isEndless(value) {
      Atomics.store(shared, ENDLESS, value ? 1 : 0);
    },
    limitMs: LIMIT_MS,
    get loading() {
      return Atomics.load(shared, LOADING);
    },
    addLoading: (change) => {
      Atomics.add(shared, LOADING, change);
      Atomics.notify(shared, LOADING);
    },
    awaitLoading: (seen, timeoutMs) =>
      Atomics.wait(shared, LOADING, seen, timeoutMs) !== 'timed-out',
    shared,
  };
}
