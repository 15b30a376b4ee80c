declare module 'lz4js' {
  /** Decompresses an LZ4 frame. */
  export function decompress(frame: Uint8Array): Uint8Array;
  /** Compresses to an LZ4 frame. */
  export function compress(bytes: Uint8Array): Uint8Array;
}
