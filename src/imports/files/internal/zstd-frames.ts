import { createZstdDecompress } from 'node:zlib'
import { through } from './through'

/**
 * Unpacks zstd frame by frame. A file may have several, as programs that append or work in parallel write them, and Node's
 * own stream ends with the first. The format: https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1
 */
export async function* unpackZstd(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = new ByteReader(content)
  for (let mark = await input.take(4); mark.length > 0; mark = await input.take(4)) {
    if (isSkippable(mark)) for await (const _ of input.pass((await input.take(4)).readUInt32LE()));
    else yield* through(frameBytes(mark, input), createZstdDecompress())
  }
}

/** Frames of other programs' own content. */
const isSkippable = (mark: Buffer): boolean => mark.length === 4 && mark.readUInt32LE() >>> 4 === 0x184d2a5

const bytesOfDictionary = [0, 1, 2, 4]
const bytesOfSize = [0, 2, 4, 8]

/** The bytes of one frame. One that is cut ends early, which the unpacking notices. */
async function* frameBytes(mark: Buffer, input: ByteReader): AsyncGenerator<Uint8Array> {
  yield mark
  const descriptor = await input.take(1)
  yield descriptor
  const flags = descriptor[0] ?? 0
  const isSingle = (flags & 0x20) > 0
  const size = bytesOfSize[flags >> 6] || (isSingle ? 1 : 0)
  yield* input.pass((isSingle ? 0 : 1) + (bytesOfDictionary[flags & 3] ?? 0) + size)
  for (let isLast = false; !isLast;) {
    const header = await input.take(3)
    yield header
    if (header.length < 3) return
    const block = header.readUIntLE(0, 3)
    isLast = (block & 1) > 0
    const isOneByte = ((block >> 1) & 3) === 1
    yield* input.pass(isOneByte ? 1 : block >> 3)
  }
  if ((flags & 4) > 0) yield* input.pass(4)
}

/** Reads so many bytes at a time from a stream; fewer at its end. */
class ByteReader {
  private readonly parts: AsyncIterator<Uint8Array>
  private rest: Uint8Array = Buffer.alloc(0)

  constructor(content: AsyncIterable<Uint8Array>) {
    this.parts = content[Symbol.asyncIterator]()
  }

  async take(bytes: number): Promise<Buffer> {
    const parts: Uint8Array[] = []
    for await (const part of this.pass(bytes)) parts.push(part)
    return Buffer.concat(parts)
  }

  async *pass(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0;) {
      if (this.rest.length === 0) {
        const next = await this.parts.next()
        if (next.done) return
        this.rest = next.value
      }
      const part = this.rest.subarray(0, left)
      this.rest = this.rest.subarray(part.length)
      left -= part.length
      yield part
    }
  }
}
