import type { Sql } from '../engine/sql'
import { type DimensionName, wordsOf } from './dimension-words'
import { eventProperty } from './properties'
import { sessionColumns, type SessionKey } from './sessions'

/** Where the values of a dimension stand. */
export interface Dimension {
  label: string
  /** Whether a whole session has one value of it, or each event its own. */
  of: 'session' | 'event'
  /** A column of the sessions, or an expression on the events. */
  column: Sql
  /** The session's, so that it is computed at all. */
  key?: SessionKey
  /** Only these events are about it; any, where there are none. */
  names: readonly string[]
}

export function dimensionOf(name: DimensionName): Dimension {
  const words = wordsOf(name)
  const { label } = words
  return words.of === 'session'
    ? { label, of: 'session', column: sessionColumns[words.key].as, key: words.key, names: [] }
    : { label, of: 'event', column: eventProperty(words.key).text, names: words.names }
}
