/** Reads a block of ClickHouse's format Native with the types of the table `events`, into one object for each row. */
export function readNativeBlock(block: Uint8Array): Record<string, unknown>[] {
  const reader = new BlockReader(Buffer.from(block))
  const columns = reader.length()
  const rows = reader.length()
  const found = Array.from({ length: rows }, (): Record<string, unknown> => ({}))
  for (let column = 0; column < columns; column++) {
    const name = reader.text()
    const values = reader.column(reader.text(), rows)
    for (const [n, row] of found.entries()) row[name] = values[n]
  }
  return found
}

class BlockReader {
  private offset = 0

  constructor(private readonly bytes: Buffer) {}

  length(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes.readUInt8(this.offset++)
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
  }

  text(): string {
    const size = this.length()
    return this.take(size).toString()
  }

  column(type: string, rows: number): unknown[] {
    const many = (read: () => unknown): unknown[] => Array.from({ length: rows }, read)
    switch (type) {
      case 'String':
        return many(() => this.text())
      case 'LowCardinality(String)':
        this.uint64()
        return this.words(rows)
      case 'Map(LowCardinality(String), String)':
        return this.maps(rows)
      case 'UUID':
        return many(() => this.uuid())
      case 'UInt8':
        return many(() => this.take(1).readUInt8())
      case 'Bool':
        return many(() => this.take(1).readUInt8() === 1)
      case 'UInt32':
        return many(() => this.take(4).readUInt32LE())
      case 'Float64':
        return many(() => this.take(8).readDoubleLE())
      case "DateTime('UTC')":
        return many(() => new Date(this.take(4).readUInt32LE() * 1000).toISOString())
      case "DateTime64(3, 'UTC')":
        return many(() => new Date(Number(this.take(8).readBigInt64LE())).toISOString())
      default:
        throw new Error(`The table has no column of type ${type}.`)
    }
  }

  private maps(rows: number): Record<string, string>[] {
    this.uint64()
    const ends = Array.from({ length: rows }, () => this.uint64())
    const entries = ends.at(-1) ?? 0
    const names = entries > 0 ? this.words(entries) : []
    const texts = names.map((name): [string, string] => [name, this.text()])
    return ends.map((end, n) => Object.fromEntries(texts.slice(ends[n - 1] ?? 0, end)))
  }

  private words(rows: number): string[] {
    const width = 2 ** (this.uint64() & 3)
    const dictionary = Array.from({ length: this.uint64() }, () => this.text())
    const count = this.uint64()
    if (count !== rows) throw new Error(`${count} words are not those of ${rows} rows.`)
    return Array.from({ length: rows }, () => dictionary[this.take(width).readUIntLE(0, width)] ?? '')
  }

  private uuid(): string {
    const hex = [this.take(8), this.take(8)].map((half) => half.toReversed()).flatMap((half) => [...half])
    const digits = Buffer.from(hex).toString('hex')
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }

  private uint64(): number {
    return Number(this.take(8).readBigUInt64LE())
  }

  private take(size: number): Buffer {
    this.offset += size
    return this.bytes.subarray(this.offset - size, this.offset)
  }
}
