/**
 * What events take in memory from their text until they are on disk, by what the text consists of: ordinary ones four to
 * five times its length, the smallest thirty times, and objects with many keys twelve times.
 */
const costs = { byte: 3, object: 700, member: 80 }
/** For each byte of a text whose objects cannot be seen: base64. */
export const mostPerByte = 20

const [openObject, comma] = [0x7b, 0x2c]

/** The bytes of memory that the events in a text of JSON take, before any of it is parsed. */
export function weightOf(json: Uint8Array): number {
  let [objects, members] = [0, 0]
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === openObject) objects++
    else if (byte === comma) members++
  }
  return costs.byte * json.length + costs.object * objects + costs.member * members
}

/** About a twentieth of a millisecond of work. */
const sliceBytes = 64 * 1024

export function* weighInSlices(json: Uint8Array): Generator<void, number> {
  let weight = 0
  for (let start = 0; start < json.length; start += sliceBytes) {
    weight += weightOf(json.subarray(start, start + sliceBytes))
    yield
  }
  return weight
}
