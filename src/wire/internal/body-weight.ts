/**
 * The memory that events take from their text until they are on disk, by the parts of the text: ordinary ones take four
 * to five times its length, the smallest thirty times, and objects with many keys twelve times.
 */
const costs = { byte: 3, object: 700, member: 80 }

const [lineEnd, percent, ampersand, comma, openObject] = [0x0a, 0x25, 0x26, 0x2c, 0x7b]

export interface EventNotation {
  /** Whether its lists have events as texts, so that a comma may separate two events. */
  hasEventsAsTexts?: boolean | undefined
}

/** The bytes of memory that the events in a text of JSON take, before any of it is parsed. */
export function weightOf(json: Uint8Array, { hasEventsAsTexts = false }: EventNotation = {}): number {
  let [objects, members] = [0, 0]
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === openObject) objects++
    else if (byte === comma) members++
  }
  return totalOf(json, hasEventsAsTexts ? { objects: objects + members, members: 0 } : { objects, members })
}

/** Returns the same for a form, which may have JSON in it, and for lines of forms that are an event each. */
export function weightOfForm(form: Uint8Array): number {
  let [objects, members] = [1, 0]
  for (let at = 0; at < form.length; at++) {
    const byte = form[at] === percent ? encodedByte(form, at) : form[at]
    if (byte === openObject || byte === lineEnd) objects++
    else if (byte === comma || byte === ampersand) members++
  }
  return totalOf(form, { objects, members })
}

const encodedByte = (form: Uint8Array, at: number): number =>
  Number.parseInt(String.fromCharCode(form[at + 1] ?? 0, form[at + 2] ?? 0), 16)

const totalOf = (text: Uint8Array, { objects, members }: { objects: number; members: number }): number =>
  costs.byte * text.length + costs.object * objects + costs.member * members

/** About a twentieth of a millisecond of work. */
const sliceBytes = 64 * 1024

export function* weighInSlices(json: Uint8Array, notation?: EventNotation): Generator<void, number> {
  let weight = 0
  for (let start = 0; start < json.length; start += sliceBytes) {
    weight += weightOf(json.subarray(start, start + sliceBytes), notation)
    yield
  }
  return weight
}
