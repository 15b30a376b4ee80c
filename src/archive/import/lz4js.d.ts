declare module 'lz4js' {
  /** Decompresses an LZ4 frame, the first `most` bytes of it. */
  export function decompress(frame: Uint8Array, most?: number): Uint8Array;
  /** Upper bound of the decompressed size of a frame, in bytes. */
  export function decompressBound(frame: Uint8Array): number;
  /** Compresses to an LZ4 frame. */
  export function compress(bytes: Uint8Array): Uint8Array;
}
