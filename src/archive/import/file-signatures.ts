/** How a file that holds rows is written. */
export type CandleFileFormat = 'csv' | 'csv.gz' | 'csv.zip' | 'feather' | 'parquet';

/** Format of a file by its first bytes. Some known formats are not supported. */
export type FileSignature = CandleFileFormat | { readonly unsupported: string };

/** Number of bytes from the start of a file that tell its format. */
export const SIGNATURE_BYTES = 8;

interface Signature {
  readonly bytes: readonly number[];
  readonly format: FileSignature;
}

const text = (value: string): readonly number[] => [...new TextEncoder().encode(value)];

const SIGNATURES: readonly Signature[] = [
  { bytes: [0x1f, 0x8b], format: 'csv.gz' },
  { bytes: text('ARROW1'), format: 'feather' },
  { bytes: [0xff, 0xff, 0xff, 0xff], format: 'feather' },
  { bytes: text('PAR1'), format: 'parquet' },
  {
    bytes: text('FEA1'),
    format: { unsupported: 'Feather version 1; save it again with to_feather(path, version=2)' },
  },
  { bytes: text('PK\u0003\u0004'), format: 'csv.zip' },
  // An empty ZIP archive.
  { bytes: text('PK\u0005\u0006'), format: 'csv.zip' },
  {
    bytes: [0x28, 0xb5, 0x2f, 0xfd],
    format: { unsupported: 'ZSTD; unpack it, or pack it again with gzip' },
  },
  { bytes: text('BZh'), format: { unsupported: 'bzip2; unpack it, or pack it again with gzip' } },
  {
    bytes: [0xfd, ...text('7zXZ')],
    format: { unsupported: 'xz; unpack it, or pack it again with gzip' },
  },
  { bytes: [0xff, 0xfe], format: { unsupported: 'text in UTF-16; save it as UTF-8' } },
  { bytes: [0xfe, 0xff], format: { unsupported: 'text in UTF-16; save it as UTF-8' } },
];

/** Finds the format of a file by its first bytes. Without a known signature it counts as CSV. */
export function signatureOf(start: Uint8Array): FileSignature {
  const found = SIGNATURES.find(({ bytes }) => bytes.every((byte, index) => start[index] === byte));
  return found?.format ?? 'csv';
}
