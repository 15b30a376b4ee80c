/** How long a command may take to end after the first Ctrl-C. */
export interface InterruptPatience {
  /** Whether the command may take as long as it needs. Only a second Ctrl-C ends it then. */
  isEndless: boolean;
  /** Otherwise it may take so many milliseconds. */
  readonly limitMs: number;
  /** Memory of the state, to share with another thread. */
  readonly shared: Int32Array;
}

/** Long enough for a command that hears Ctrl-C to stop its threads and to close its files, even on a busy machine. */
const LIMIT_MS = 1_500;

/** Makes the patience of a process, or that of a thread from the memory that it shares with the process. */
export function interruptPatience(
  shared = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
): InterruptPatience {
  return {
    get isEndless() {
      return Atomics.load(shared, 0) === 1;
    },
    set isEndless(value) {
      Atomics.store(shared, 0, value ? 1 : 0);
    },
    limitMs: LIMIT_MS,
    shared,
  };
}
