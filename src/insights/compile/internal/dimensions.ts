import type { Sql } from '#engine/sql'
import { type DimensionName, wordsOf } from '../../text/dimension-words'
import { eventProperty } from './properties'
import { sessionColumns, type SessionKey } from './sessions'

/** The SQL source of a dimension's values. */
export interface Dimension {
  label: string
  /** Whether a whole session has one value of it, or each event its own. */
  of: 'session' | 'event'
  /** A column of the sessions, or an expression on the events. */
  column: Sql
  /** The session key that must be computed for it. */
  key?: SessionKey
  /** The events that have this dimension; empty for all events. */
  names: readonly string[]
}

export function dimensionOf(name: DimensionName): Dimension {
  const words = wordsOf(name)
  const { label } = words
  return words.of === 'session'
    ? { label, of: 'session', column: sessionColumns[words.key].as, key: words.key, names: [] }
    : { label, of: 'event', column: eventProperty(words.key).text, names: words.names }
}
