/**
 * Columns of one block of ClickHouse's format Native, as the server writes it to an HTTP client: for each column its name,
 * its type and its values, one column after the other. Numbers are little-endian, as every processor that Node runs on
 * stores them.
 * https://clickhouse.com/docs/interfaces/formats/Native
 */
interface NativeColumn {
  readonly type: string
  /** Appends the values to the bytes of the block. */
  writeTo(bytes: NativeBytes): void
}

/** Bytes that grow, with the primitives of the format. */
export class NativeBytes {
  private bytes: Buffer
  length = 0

  constructor(expectedBytes = 1024) {
    this.bytes = Buffer.allocUnsafe(expectedBytes)
  }

  written(): Buffer {
    return this.bytes.subarray(0, this.length)
  }

  /** Writes an unsigned integer in the variable length of LEB128. */
  writeLength(value: number): void {
    this.reserve(5)
    let rest = value
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.bytes[this.length++] = rest
  }

  /** Writes an integer of 64 bits whose upper half is 0. */
  writeUint64(value: number): void {
    this.reserve(8)
    this.bytes.writeUInt32LE(value, this.length)
    this.bytes.writeUInt32LE(0, this.length + 4)
    this.length += 8
  }

  writeText(text: string): void {
    if (text.length > longestShortText || !this.writeShortText(text)) this.writeLongText(text)
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Short texts are nearly always ASCII, and faster to write here than by a call into Node's own code. */
  private writeShortText(text: string): boolean {
    const size = text.length
    this.reserve(size + 1)
    const { bytes } = this
    const start = this.length + 1
    for (let i = 0; i < size; i++) {
      const code = text.charCodeAt(i)
      if (code > 127) return false
      bytes[start + i] = code
    }
    bytes[this.length] = size
    this.length = start + size
    return true
  }

  private writeLongText(text: string): void {
    const size = Buffer.byteLength(text)
    this.writeLength(size)
    this.reserve(size)
    this.length += this.bytes.write(text, this.length)
  }

  private reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }
}

/** A length of up to 127 is a single byte. */
const longestShortText = 64

/** Returns the block of these columns. */
export function nativeBlock(columns: Readonly<Record<string, NativeColumn>>, rows: number): Buffer {
  const bytes = new NativeBytes(rows * 256)
  bytes.writeLength(Object.keys(columns).length)
  bytes.writeLength(rows)
  for (const [name, column] of Object.entries(columns)) {
    bytes.writeText(name)
    bytes.writeText(column.type)
    column.writeTo(bytes)
  }
  return bytes.written()
}

/** A column of numbers of fixed size, such as UInt32. Rows that are not set are 0. */
export class NativeNumbers<Values extends Uint8Array | Uint32Array | Float64Array> implements NativeColumn {
  constructor(
    readonly type: string,
    readonly values: Values,
  ) {}

  writeTo(bytes: NativeBytes): void {
    const { buffer, byteOffset, byteLength } = this.values
    bytes.append(new Uint8Array(buffer, byteOffset, byteLength))
  }
}

/** A column of signed integers of 64 bits, such as DateTime64. */
export class NativeLongIntegers implements NativeColumn {
  private readonly halves: Uint32Array

  constructor(
    readonly type: string,
    rows: number,
  ) {
    this.halves = new Uint32Array(rows * 2)
  }

  /** Takes only integers that JavaScript represents exactly. */
  set(row: number, value: number): void {
    const upper = Math.floor(value / 2 ** 32)
    this.halves[row * 2] = value - upper * 2 ** 32
    this.halves[row * 2 + 1] = upper
  }

  writeTo(bytes: NativeBytes): void {
    bytes.append(new Uint8Array(this.halves.buffer))
  }
}

/** A column of UUIDs. Rows that are not set are zeros. */
export class NativeUuids implements NativeColumn {
  readonly type = 'UUID'
  private readonly bytes: Uint8Array

  constructor(rows: number) {
    this.bytes = new Uint8Array(rows * 16)
  }

  /** Returns false if the text is no UUID in the usual form. */
  set(row: number, text: string): boolean {
    if (text.length !== 36 || !dashesAt.every((position) => text.charCodeAt(position) === dash)) return false
    let invalid = 0
    for (let n = 0; n < 16; n++) {
      const position = digitsAt[n] ?? 0
      const upper = hexValues[text.charCodeAt(position)] ?? notHex
      const lower = hexValues[text.charCodeAt(position + 1)] ?? notHex
      invalid |= upper | lower
      this.bytes[row * 16 + n] = (upper << 4) | lower
    }
    return invalid < notHex
  }

  writeTo(bytes: NativeBytes): void {
    bytes.append(this.bytes)
  }
}

const dash = 45
const dashesAt = [8, 13, 18, 23]
/** The positions of the digits of each byte: a UUID is two integers of 64 bits, the upper one first. */
const digitsAt = [16, 14, 11, 9, 6, 4, 2, 0, 34, 32, 30, 28, 26, 24, 21, 19]
const notHex = 128
const hexValues = new Uint8Array(128).fill(notHex)
for (let value = 0; value < 16; value++) {
  hexValues[value.toString(16).charCodeAt(0)] = value
  hexValues[value.toString(16).toUpperCase().charCodeAt(0)] = value
}

/** A column of texts. Its rows are added in order. */
export class NativeTexts implements NativeColumn {
  readonly type = 'String'
  private readonly texts = new NativeBytes()

  add(text: string): void {
    this.texts.writeText(text)
  }

  writeTo(bytes: NativeBytes): void {
    bytes.append(this.texts.written())
  }
}

/** A column of words that repeat, written once each. Rows that are not set are empty. */
export class NativeWords implements NativeColumn {
  readonly type = 'LowCardinality(String)'
  private readonly dictionary = new NativeDictionary()
  private readonly indexes: Uint32Array

  constructor(rows: number) {
    this.indexes = new Uint32Array(rows)
    this.dictionary.indexOf('')
  }

  set(row: number, word: string): void {
    this.indexes[row] = this.dictionary.indexOf(word)
  }

  writeTo(bytes: NativeBytes): void {
    bytes.writeUint64(dictionaryVersion)
    this.dictionary.writeTo(bytes, this.indexes)
  }
}

/** SharedDictionariesWithAdditionalKeys, the only version. */
const dictionaryVersion = 1
/** The keys are in the block itself: HasAdditionalKeysBit and NeedUpdateDictionary. */
const dictionaryFlags = 0x600

class NativeDictionary {
  private readonly words = new Map<string, number>()

  indexOf(word: string): number {
    const known = this.words.get(word)
    if (known !== undefined) return known
    const index = this.words.size
    this.words.set(word, index)
    return index
  }

  writeTo(bytes: NativeBytes, indexes: Uint32Array): void {
    const { size } = this.words
    const [width, narrowed] =
      size <= 2 ** 8
        ? [0, Uint8Array.from(indexes)]
        : size <= 2 ** 16
          ? [1, Uint16Array.from(indexes)]
          : [2, indexes]
    bytes.writeUint64(dictionaryFlags | width)
    bytes.writeUint64(size)
    for (const word of this.words.keys()) bytes.writeText(word)
    bytes.writeUint64(indexes.length)
    bytes.append(new Uint8Array(narrowed.buffer, narrowed.byteOffset, narrowed.byteLength))
  }
}

/** A column of maps from a name to a text. Its rows are added in order, each by its entries and then its end. */
export class NativeMaps implements NativeColumn {
  readonly type = 'Map(LowCardinality(String), String)'
  private readonly names = new NativeDictionary()
  private readonly texts = new NativeBytes()
  private readonly ends: Uint32Array
  private indexes: Uint32Array
  private entries = 0
  private rows = 0

  constructor(rows: number) {
    this.ends = new Uint32Array(rows * 2)
    this.indexes = new Uint32Array(Math.max(rows * 8, 16))
  }

  addEntry(name: string, text: string): void {
    if (this.entries === this.indexes.length) {
      const larger = new Uint32Array(this.indexes.length * 2)
      larger.set(this.indexes)
      this.indexes = larger
    }
    this.indexes[this.entries++] = this.names.indexOf(name)
    this.texts.writeText(text)
  }

  endRow(): void {
    this.ends[this.rows++ * 2] = this.entries
  }

  writeTo(bytes: NativeBytes): void {
    bytes.writeUint64(dictionaryVersion)
    bytes.append(new Uint8Array(this.ends.buffer))
    // a dictionary without keys is not written
    if (this.entries > 0) this.names.writeTo(bytes, this.indexes.subarray(0, this.entries))
    bytes.append(this.texts.written())
  }
}
