import { crc32, deflateRawSync } from 'node:zlib';

/** A file of a ZIP archive, with its possible errors. */
export interface ZippedFile {
  readonly name: string;
  readonly data?: string | Uint8Array;
  /** @defaultValue 8, deflated; 0 is stored */
  readonly method?: number;
  /** Bytes in the archive. @defaultValue the data packed by the method */
  readonly packed?: Uint8Array;
  readonly flags?: number;
  readonly checksum?: number;
  readonly size?: number;
  readonly packedSize?: number;
  /** Offset of the file in the central directory. */
  readonly offset?: number;
  readonly extra?: Uint8Array;
  readonly localSignature?: number;
}

export interface ZipOptions {
  readonly disk?: number;
  /** Number of files in the record at the end of the archive. */
  readonly count?: number;
  readonly directoryOffset?: number;
}

const DEFLATED = 8;
const UTF_8 = 0x800;

/** Writes a ZIP archive byte by byte, so that a test can set any of its fields to a wrong value. */
export function encodeZip(files: readonly ZippedFile[], options: ZipOptions = {}): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const { method = DEFLATED, flags = 0, extra = new Uint8Array() } = file;
    const name = Buffer.from(file.name);
    const data = Buffer.from(file.data ?? '');
    const packed = file.packed ?? (method === DEFLATED ? deflateRawSync(data) : data);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags | UTF_8, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(file.checksum ?? crc32(data), 10);
    common.writeUInt32LE(file.packedSize ?? packed.length, 14);
    common.writeUInt32LE(file.size ?? data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const body = [uint32(file.localSignature ?? 0x04034b50), common, name, packed];
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(file.offset ?? offset, 10);
    const listed = Buffer.from(common);
    listed.writeUInt16LE(extra.length, 24);
    directory.push(
      uint32(0x02014b50),
      Buffer.from([20, 0]),
      listed,
      rest,
      name,
      Buffer.from(extra),
    );
    bodies.push(...body.map((part) => Buffer.from(part)));
    offset += body.reduce((sum, part) => sum + part.length, 0);
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(options.disk ?? 0, 4);
  end.writeUInt16LE(options.count ?? files.length, 8);
  end.writeUInt16LE(options.count ?? files.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(options.directoryOffset ?? offset, 16);
  return Buffer.concat([...bodies, listing, end]);
}

/** The extra field for a size of 4 GiB and more. */
export function zip64Size(bytes: number): Uint8Array {
  const field = Buffer.alloc(12);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8, 2);
  field.writeBigUInt64LE(BigInt(bytes), 4);
  return field;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
