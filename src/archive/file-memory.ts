/**
 * Memory for files that are read whole, one after the other: memory that is touched for the first time costs more than reading into it.
 * It grows to the largest of them.
 */
export class FileMemory {
  #memory = new ArrayBuffer(0);

  /** Memory of at least so many bytes, until the next call. What is in it is left from before. */
  take(bytes: number): ArrayBuffer {
    if (this.#memory.byteLength < bytes) this.#memory = new ArrayBuffer(bytes);
    return this.#memory;
  }
}
