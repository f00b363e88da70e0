import type { EventColumns } from '#events/event'
import { propertyRuleOf } from './property-rules'
import { sanitizeText } from './sanitize'
import { maxProperties } from './properties'
import { truncate, type IngestStep } from './step'

const longestKey = 200

/**
 * Takes the columns, the session and the kind of visitor as another Tilth stored them. Empty texts mean an absent value:
 * a shield judges only what an event has.
 */
export const takeDerivedFacts: IngestStep = (draft) => {
  const { derived, distinctId } = draft.event
  if (!derived) return
  const known = Object.entries(derived.columns).flatMap(([name, value]) =>
    value === '' || value === undefined ? [] : [[name, typeof value === 'string' ? clean(value) : value]],
  )
  // the names and the types of the values are those of `derived.columns`
  draft.columns = Object.fromEntries(known) as Partial<EventColumns>
  draft.sessionId = derived.sessionId
  draft.isCookieless = derived.isCookieless
  draft.distinctId ||= distinctId ?? ''
}

/** No column is longer; what an export has is, unless its file was changed. */
const longestText = 65_536

const clean = (text: string): string => truncate(sanitizeText(text), longestText)

/** A project that keeps no robots does not get them from an export either. */
export const refuseRobots: IngestStep = ({ columns: { traffic } }, { rules }) =>
  traffic !== undefined && rules.drops(traffic) ? 'bot' : undefined

/** Keeps the texts of properties as they were stored. Those that are never stored may only be in a changed file. */
export const writeDerivedProperties: IngestStep = (draft) => {
  for (const [name, value] of Object.entries(draft.event.properties).slice(0, maxProperties)) {
    if (typeof value === 'string' && name !== '$import' && propertyRuleOf(name) !== 'never')
      draft.properties[truncate(name, longestKey)] = value
  }
  Object.assign(draft.properties, draft.notes)
}
