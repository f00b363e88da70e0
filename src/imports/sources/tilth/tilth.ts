import type { Json, Properties } from '#events/event'
import { valueOfStoredText } from '#events/sent-values'
import { isUuid } from '#ingest/uuid'
import { parseTime } from '#wire/posthog/time'
import { numberField, textField } from '#wire/read-fields'
import { textColumns } from '#events/text-columns'
import { type DerivedColumns, isListOfNames, numberColumns } from '../../internal/imported-event'
import {
  type FindDetails,
  firstIdOfPerson,
  type ImportSource,
  keptEvent,
  leftOut,
  reasons,
  type RowOutcome,
  visitorEvent,
} from '../internal/source'

/**
 * Tilth's own exports. Columns are taken as they are: country, device, channel and session were derived once, by the Tilth
 * that received the event. Distinct ids with one `person_id` are merged.
 */
export const tilth: ImportSource = {
  label: 'Tilth',
  files: 'the files of tilth export, or of Settings → Export: events, persons and groups',
  columns:
    'uuid, event, distinct_id, timestamp, traffic and properties, or person_id and is_identified, or type and key',
  personsFirst: true,
  personOf: (row) => (isEvent(row) ? identityOf(row) : undefined),
  eventOf(row, details) {
    if (isEvent(row)) return eventOf(row, details)
    if (row['is_identified'] !== undefined) return personOf(row)
    if (row['started_at'] !== undefined) return leftOut('of a session, which its events make')
    return row['type'] !== undefined && row['key'] !== undefined ? groupOf(row) : leftOut(reasons.unknownForm)
  },
}

const isEvent = (row: Properties): boolean => row['uuid'] !== undefined && row['traffic'] !== undefined

function identityOf(row: Properties): { person: string; distinctId: string } | undefined {
  const [person, distinctId] = [idIn(row, 'person_id'), wholeText(row, 'distinct_id')]
  return person === '' || distinctId === '' ? undefined : { person, distinctId }
}

function eventOf(row: Properties, details: FindDetails): RowOutcome {
  const uuid = idIn(row, 'uuid')
  const at = parseTime(row['timestamp'])
  const columns = columnsOf(row)
  const [groups, properties] = [textsIn(row['groups']), textsIn(row['properties'])]
  if (uuid === '' || !columns || !groups || !properties) return leftOut(reasons.unknownForm)
  if (!at) return leftOut(reasons.noTime)
  const name = wholeText(row, 'event')
  const distinctId = wholeText(row, 'distinct_id')
  if (name === '') return leftOut(reasons.noName)
  if (distinctId === '') return leftOut(reasons.noVisitor)
  const isCookieless = flagIn(row, 'is_cookieless')
  const other = isCookieless ? undefined : otherIdOf(row, details)
  const event = visitorEvent({
    name,
    distinctId,
    properties,
    groups,
    hasPerson: flagIn(row, 'has_person'),
    ...(other !== undefined && { identity: { kind: 'merge', other } }),
    derived: { columns, sessionId: idIn(row, 'session_id'), isCookieless },
  })
  return keptEvent(event, { at, uuid, of: { source: 'tilth', row } })
}

/** Returns the id by which the person of this row was named first, if it is another one. */
function otherIdOf(row: Properties, details: FindDetails): string | undefined {
  const identity = identityOf(row)
  const [first] = identity ? details(firstIdOfPerson, identity.person) : []
  const id = first && wholeText(first, 'distinct_id')
  return id === identity?.distinctId ? undefined : id
}

function columnsOf(row: Properties): DerivedColumns | undefined {
  const traffic = row['traffic']
  if (traffic !== 'human' && traffic !== 'ai' && traffic !== 'bot' && traffic !== 'feed') return undefined
  const columns: DerivedColumns = { traffic }
  for (const name of textColumns) {
    const text = wholeText(row, name)
    if (text !== '') columns[name] = text
  }
  for (const name of numberColumns) {
    const number = numberField(row, name)
    if (number !== undefined && number !== 0) columns[name] = number
  }
  const stringKeys = wholeText(row, 'string_keys')
  if (stringKeys !== '' && isListOfNames(stringKeys)) columns.string_keys = stringKeys
  return columns
}

function personOf(row: Properties): RowOutcome {
  const number = idIn(row, 'person_id')
  const createdAt = parseTime(row['created_at'])
  const properties = textsIn(row['properties'])
  if (number === '' || !properties) return leftOut(reasons.unknownForm)
  if (!createdAt) return leftOut(reasons.noTime)
  const ids = listIn(row['distinct_ids'])
  return {
    kept: true,
    profile: {
      kind: 'person',
      // a person whose events are gone is found by their number alone
      distinctIds: ids.length > 0 ? ids : [number],
      isIdentified: flagIn(row, 'is_identified'),
      createdAt: createdAt.toISOString(),
      properties: asSentValues(properties),
    },
  }
}

function groupOf(row: Properties): RowOutcome {
  const [type, key] = [wholeText(row, 'type'), wholeText(row, 'key')]
  const createdAt = parseTime(row['created_at'])
  const properties = textsIn(row['properties'])
  const areNames = [type, key].every((name) => name !== '' && name.length <= mostCharacters)
  if (!areNames || !properties) return leftOut(reasons.unknownForm)
  if (!createdAt) return leftOut(reasons.noTime)
  return {
    kept: true,
    profile: {
      kind: 'group',
      type,
      key,
      createdAt: createdAt.toISOString(),
      properties: asSentValues(properties),
    },
  }
}

/** A value that is written as another text than it was stays a text, so that answers do not change. */
const asSentValues = (texts: Readonly<Record<string, string>>): Properties =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]): [string, Json] => {
      const value = valueOfStoredText(text)
      return [name, value !== undefined && JSON.stringify(value) === text ? value : text]
    }),
  )

/** Texts keep their spaces. A column of numbers in one file may be one of texts in another. */
function wholeText(row: Properties, name: string): string {
  const value = row[name]
  return typeof value === 'string' ? value : (textField(row, name) ?? '')
}

function idIn(row: Properties, name: string): string {
  const id = textField(row, name)?.toLowerCase() ?? ''
  return isUuid(id) ? id : ''
}

const flagIn = (row: Properties, name: string): boolean =>
  row[name] === true || row[name] === 1 || row[name] === 'true' || row[name] === '1'

/** Objects are JSON in CSV. */
function textsIn(value: Json | undefined): Record<string, string> | undefined {
  const fields = typeof value === 'string' && value !== '' ? parsed(value) : (value ?? {})
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    return fields === '' ? {} : undefined
  const texts = Object.entries(fields).flatMap(([name, text]): [string, string][] =>
    typeof text === 'string' ? [[name, text]] : [],
  )
  return Object.fromEntries(texts)
}

/** The most ids of a person that are merged. */
const mostIds = 10_000
/** No id or name is stored longer. */
const mostCharacters = 200

function listIn(value: Json | undefined): string[] {
  const list = typeof value === 'string' ? parsed(value) : value
  const texts = Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
  return texts.filter((id) => id !== '' && id.length <= mostCharacters).slice(0, mostIds)
}

function parsed(json: string): Json | undefined {
  try {
    return JSON.parse(json) as Json // by definition
  } catch {
    return undefined
  }
}
