/** Cuts a stream of text into lines. */
export class LineReader {
  readonly #maxLength: number;
  #rest = '';

  /** `maxLength`: longest line, in characters. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Returns the lines that a piece of text completes; undefined if a line is too long. After that nothing more can be read. */
  push(piece: string): readonly string[] | undefined {
    const lines = `${this.#rest}${piece}`.split('\n');
    this.#rest = lines.pop() ?? '';
    return [...lines, this.#rest].some((line) => line.length > this.#maxLength) ? undefined : lines;
  }
}
