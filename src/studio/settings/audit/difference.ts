/** A field that was, or is, otherwise; undefined on the side where there was none. */
export interface AuditFieldChange {
  field: string
  before: string | undefined
  after: string | undefined
}

/** The changes between two states, field by field; a state that is no object is one field of its own. */
export function changesIn(before: unknown, after: unknown): AuditFieldChange[] {
  const was = fieldsOf(before)
  const is = fieldsOf(after)
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((field) => ({ field, before: was.get(field), after: is.get(field) }))
    .filter((change) => change.before !== change.after)
}

function fieldsOf(state: unknown): Map<string, string> {
  if (state === undefined || state === null) return new Map()
  if (typeof state !== 'object' || Array.isArray(state)) return new Map([['value', asText(state)]])
  const known = Object.entries(state).filter(([, value]) => value !== undefined && value !== null)
  return new Map(known.map(([field, value]) => [fieldLabel(field), asText(value)]))
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 1)

/** "timeZone" is called "time zone" on every other page. */
const fieldLabel = (field: string): string => field.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
