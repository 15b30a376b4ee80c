/**
 * Reusable memory for files that are read whole, one after the other. The first use of new memory costs more than reading a file into it.
 * Grows to the size of the largest file.
 */
export class FileMemory {
  #memory = new ArrayBuffer(0);

  /** Memory of at least `bytes` bytes, valid until the next call. It holds content of earlier use. */
  take(bytes: number): ArrayBuffer {
    if (this.#memory.byteLength < bytes) this.#memory = new ArrayBuffer(bytes);
    return this.#memory;
  }
}
