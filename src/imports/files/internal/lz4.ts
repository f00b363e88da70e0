/**
 * Unpacks a block of LZ4 to so many bytes. Throws where it is damaged.
 * The format: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
 */
export function unpackLz4(input: Uint8Array, outputLength: number): Uint8Array {
  const output = new Uint8Array(outputLength)
  let [from, to] = [0, 0]
  const byte = (): number => {
    const value = input[from++]
    if (value === undefined) throw new Error('LZ4 ends too early.')
    return value
  }
  /** A length of 15 goes on in the next bytes. */
  const lengthOf = (begun: number): number => {
    let length = begun
    if (begun === 15)
      for (let more = 255; more === 255;) {
        more = byte()
        length += more
      }
    return length
  }
  while (from < input.length) {
    const token = byte()
    const literals = lengthOf(token >> 4)
    if (from + literals > input.length || to + literals > outputLength) throw new Error('LZ4 is damaged.')
    output.set(input.subarray(from, from + literals), to)
    from += literals
    to += literals
    // the last sequence has literals only
    if (from === input.length) break
    const offset = byte() | (byte() << 8)
    const end = to + lengthOf(token & 15) + 4
    if (offset === 0 || offset > to || end > outputLength) throw new Error('LZ4 is damaged.')
    // what is copied may begin within what is written
    for (; to < end; to++) output[to] = output[to - offset] ?? 0
  }
  if (to !== outputLength) throw new Error('LZ4 ends too early.')
  return output
}

const bytesOfSizes = 8

/**
 * Unpacks LZ4 as Hadoop frames it, which Parquet's old codec LZ4 is: blocks, each after its two sizes. Some programs wrote a
 * bare block under that name: https://github.com/apache/parquet-format/blob/master/Compression.md#lz4
 */
export function unpackFramedLz4(input: Uint8Array, outputLength: number): Uint8Array {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength)
  const output = new Uint8Array(outputLength)
  let [from, to] = [0, 0]
  while (from + bytesOfSizes <= input.length) {
    const [unpacked, packed] = [view.getUint32(from), view.getUint32(from + 4)]
    from += bytesOfSizes
    if (from + packed > input.length || to + unpacked > outputLength) return unpackLz4(input, outputLength)
    output.set(unpackLz4(input.subarray(from, from + packed), unpacked), to)
    from += packed
    to += unpacked
  }
  return to === outputLength && from === input.length ? output : unpackLz4(input, outputLength)
}
