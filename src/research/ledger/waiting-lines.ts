/** Least size of the buffer for lines. */
const LEAST_BYTES = 64 * 1_024;

/**
 * Lines that wait to be written, as consecutive bytes. With one string per line, the garbage collector would copy the strings at each of its runs while the
 * disk is busy.
 */
export class WaitingLines {
  #bytes = Buffer.allocUnsafeSlow(LEAST_BYTES);
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(line: string): void {
    // A character that is not ASCII takes up to three bytes.
    this.#reserve(3 * line.length);
    this.#length += this.#bytes.write(line, this.#length);
  }

  /** Returns all waiting lines in order, and empties the buffer. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.allocUnsafeSlow(LEAST_BYTES);
    this.#length = 0;
    return taken;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
