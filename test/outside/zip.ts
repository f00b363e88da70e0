import { crc32, deflateRawSync } from 'node:zlib'

/** The number of entries that an archive states without zip64 has 16 bits; Archive Utility of macOS lets it wrap. */
export const zipCountEnd = 65_536

/** A zip archive of these files, as any program writes it. */
export function aZip(
  files: Readonly<Record<string, string | Uint8Array>>,
  { isStored = false }: { isStored?: boolean } = {},
): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content as string) // a text or bytes: both become bytes
    const packed = isStored ? bytes : deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(isStored ? 0 : 8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), fields, rest, Buffer.from(name))
    parts.push(local)
    at += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  const stated = Object.keys(files).length % zipCountEnd
  end.writeUInt16LE(stated, 8)
  end.writeUInt16LE(stated, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, listed, end])
}
