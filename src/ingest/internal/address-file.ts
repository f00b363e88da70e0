import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'

const blockBytes = 4096
/** Each block is kept with the beginning of the next one, so that no node and no text ends in another block. */
const overlapBytes = 512
const keptBytes = blockBytes + overlapBytes
/** Two megabytes, in which most look-ups find all but the last steps of their way. */
const maxBlocks = 512

/** The end of the file that is searched for the metadata. */
const maxMetadataBytes = 128 * 1024
const metadataMarker = Buffer.from('\u00AB\u00CD\u00EFMaxMind.com', 'latin1')
/** Zeros between the tree and the data. */
const separatorBytes = 16

const metadataSchema = z.object({ node_count: z.number(), record_size: z.literal(28) })
/** Two records of 28 bits. */
const nodeBytes = 7

/** The types of the format that are read; the bytes of others are skipped. */
const types = { extended: 0, pointer: 1, text: 2, uint16: 5, uint32: 6, map: 7, array: 11, boolean: 14 }

interface Decoded {
  value: unknown
  end: number
}

/**
 * A file of what is known about addresses, in the format of https://maxmind.github.io/MaxMind-DB/. It stays on the
 * disk, of which the system keeps in free memory what is read often: as buffers, the two files of places would take
 * 134 MB of the front.
 */
export class AddressFile {
  private readonly file: number
  private readonly fileBytes: number
  private readonly blocks = Buffer.allocUnsafeSlow(maxBlocks * keptBytes)
  /** The offset in `blocks` of each block that is kept, by its number. */
  private readonly placeOfBlock = new LRUCache<number, number>({
    max: maxBlocks,
    dispose: (place) => (this.freePlace = place),
  })
  private freePlace: number | undefined
  private readonly nodeCount: number
  private readonly dataAt: number

  constructor(path: string) {
    this.file = openSync(path, 'r')
    this.fileBytes = fstatSync(this.file).size
    try {
      this.nodeCount = this.readMetadata(path).node_count
    } catch (problem) {
      this.close()
      throw problem
    }
    this.dataAt = this.nodeCount * nodeBytes + separatorBytes
  }

  /** Returns what the file says of an address; undefined if it says nothing. */
  recordOf(address: readonly number[]): unknown {
    let node = 0
    for (let bit = 0; bit < address.length * 8 && node < this.nodeCount; bit++) {
      const byte = address[bit >> 3] ?? 0
      node = this.childOf(node, (byte >> (7 - (bit & 7))) & 1)
    }
    return node > this.nodeCount
      ? this.decode(this.dataAt + node - this.nodeCount - separatorBytes).value
      : undefined
  }

  close(): void {
    closeSync(this.file)
  }

  private readMetadata(path: string): z.infer<typeof metadataSchema> {
    const from = Math.max(0, this.fileBytes - maxMetadataBytes)
    const end = Buffer.alloc(this.fileBytes - from)
    readSync(this.file, end, 0, end.length, from)
    const marker = end.lastIndexOf(metadataMarker)
    if (marker === -1) throw new Error(`${path} is no database of addresses.`)
    return metadataSchema.parse(this.decode(from + marker + metadataMarker.length).value)
  }

  /** The middle byte of a node has the highest bits of both its records. */
  private childOf(node: number, side: number): number {
    const place = this.placeOf(node * nodeBytes, nodeBytes)
    const middle = this.blocks.readUInt8(place + 3)
    return side === 0
      ? ((middle & 0xf0) << 20) | this.blocks.readUIntBE(place, 3)
      : ((middle & 0x0f) << 24) | this.blocks.readUIntBE(place + 4, 3)
  }

  private decode(at: number): Decoded {
    const control = this.numberAt(at, 1)
    const type = control >> 5
    if (type === types.pointer) return this.decodePointer(control, at + 1)
    if (type === types.extended) return this.decodeSized(this.numberAt(at + 1, 1) + 7, control & 31, at + 2)
    return this.decodeSized(type, control & 31, at + 1)
  }

  private decodePointer(control: number, at: number): Decoded {
    const more = (control >> 3) & 3
    const high = more === 3 ? 0 : (control & 7) * 256 ** (more + 1)
    const target = high + this.numberAt(at, more + 1) + ([0, 2048, 526_336, 0][more] ?? 0)
    return { value: this.decode(this.dataAt + target).value, end: at + more + 1 }
  }

  /** Sizes from 29 on stand in the next bytes. */
  private decodeSized(type: number, size: number, at: number): Decoded {
    if (size < 29) return this.decodeValue(type, size, at)
    const more = size - 28
    const least = [29, 285, 65_821][more - 1] ?? 0
    return this.decodeValue(type, least + this.numberAt(at, more), at + more)
  }

  private decodeValue(type: number, size: number, at: number): Decoded {
    const end = at + size
    switch (type) {
      case types.text:
        return { value: this.textAt(at, size), end }
      case types.uint16:
      case types.uint32:
        return { value: this.numberAt(at, size), end }
      case types.map:
        return this.decodeMap(size, at)
      case types.array:
        return this.decodeList(size, at)
      case types.boolean:
        return { value: size !== 0, end: at }
      default:
        return { value: undefined, end }
    }
  }

  private decodeMap(size: number, at: number): Decoded {
    const { value, end } = this.decodeList(size * 2, at)
    const entries = Array.from({ length: size }, (_, n) => [String(value[n * 2]), value[n * 2 + 1]])
    return { value: Object.fromEntries(entries), end }
  }

  private decodeList(size: number, at: number): Decoded & { value: unknown[] } {
    const value: unknown[] = []
    let end = at
    while (value.length < size) {
      const item = this.decode(end)
      value.push(item.value)
      end = item.end
    }
    return { value, end }
  }

  private numberAt(at: number, length: number): number {
    return length === 0 ? 0 : this.blocks.readUIntBE(this.placeOf(at, length), length)
  }

  private textAt(at: number, length: number): string {
    const place = this.placeOf(at, length)
    return this.blocks.toString('utf8', place, place + length)
  }

  /** Returns where `blocks` has these bytes of the file. */
  private placeOf(at: number, length: number): number {
    if (length > overlapBytes || at + length > this.fileBytes)
      throw new RangeError('The database of addresses has a value that is too long, or ends before it.')
    const within = at % blockBytes
    const number = (at - within) / blockBytes
    return (this.placeOfBlock.get(number) ?? this.readBlock(number)) + within
  }

  private readBlock(number: number): number {
    // a place is free as soon as the least recent block has left it
    if (this.placeOfBlock.size === maxBlocks) this.placeOfBlock.pop()
    const place = this.freePlace ?? this.placeOfBlock.size * keptBytes
    this.freePlace = undefined
    readSync(this.file, this.blocks, place, keptBytes, number * blockBytes)
    this.placeOfBlock.set(number, place)
    return place
  }
}
