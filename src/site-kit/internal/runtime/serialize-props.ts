import { isValidElement, type ReactNode } from 'react'

/** A prop of an island that holds elements: they are rendered on the server and kept as they are. */
export interface Slot {
  id: string
  node: ReactNode
}

export interface SerializedProps {
  json: string
  slots: readonly Slot[]
  /** The props for the server's rendering: each slot stands for its elements. */
  withSlots: (rendered: (slot: Slot) => ReactNode) => Record<string, unknown>
}

interface ComponentPlace {
  name: string
  file: string
}

/** The keys that stand for values which JSON does not have. */
export const slotKey = '$slot'
export const dateKey = '$date'

/** Writes the props of a client component as JSON. Throws where one cannot be written. */
export function serializeProps(
  props: Readonly<Record<string, unknown>>,
  place: ComponentPlace,
  nextId: () => string,
): SerializedProps {
  const slots: Slot[] = []
  const write = (value: unknown, path: string): unknown => {
    if (holdsElements(value)) {
      const slot = { id: nextId(), node: value as ReactNode }
      slots.push(slot)
      return { [slotKey]: slot.id }
    }
    if (value instanceof Date) return { [dateKey]: value.toISOString() }
    if (Array.isArray(value)) return value.map((one, index) => write(one, `${path}[${index}]`))
    if (isPlainObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [key, write(one, path ? `${path}.${key}` : key)]),
      )
    if (isJsonValue(value)) return value
    throw new TypeError(
      `The client component ${place.name} (${place.file}) got ${described(value)} as the prop “${path}”. ` +
        'Only text, numbers, booleans, dates, lists, plain objects and elements can be passed to the browser.',
    )
  }
  const written = write(props, '')
  const json = JSON.stringify(written)
  return { json, slots, withSlots: (rendered) => restore(written, slots, rendered) }
}

function restore(
  written: unknown,
  slots: readonly Slot[],
  rendered: (slot: Slot) => ReactNode,
): Record<string, unknown> {
  const byId = new Map(slots.map((slot) => [slot.id, slot]))
  const read = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(read)
    if (typeof value !== 'object' || value === null) return value
    const slot = slotKey in value ? byId.get(String(value[slotKey])) : undefined
    if (slot) return rendered(slot)
    if (dateKey in value) return new Date(String(value[dateKey]))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, read(one)]))
  }
  // props are an object, and stay one
  return read(written) as Record<string, unknown>
}

/** Whether a value is an element, a promise of one, or a list that holds one. */
const holdsElements = (value: unknown): boolean =>
  isValidElement(value) ||
  (value instanceof Promise && true) ||
  (Array.isArray(value) && value.some(holdsElements))

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value))

const isJsonValue = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value))

function described(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return `a ${value.constructor.name}`
  return `a ${typeof value} (${String(value)})`
}
