/** The memory that V8 keeps beside the content of a value, about. */
const bytesOf = { number: 8, text: 24, object: 48, item: 8, key: 24 }

/** About how many bytes of the heap an answer takes. Counts no further than `most`: the rest does not matter then. */
export function answerBytes(value: unknown, most: number): number {
  if (typeof value === 'string') return bytesOf.text + value.length
  if (typeof value !== 'object' || value === null) return bytesOf.number
  const isList = Array.isArray(value)
  const parts: readonly unknown[] = isList ? value : Object.values(value)
  let bytes = bytesOf.object + parts.length * (isList ? bytesOf.item : bytesOf.key)
  for (const part of parts) {
    if (bytes > most) break
    bytes += answerBytes(part, most - bytes)
  }
  return bytes
}
