import type { Json, Properties } from '#events/event'
import { isUuid, uuidFrom } from '#ingest/uuid'
import { incomingEvent } from '#wire/posthog/events'
import { parseTime } from '#wire/posthog/time'
import { importedEventOf } from '../../internal/imported-event'
import { type ImportSource, leftOut, reasons, type RowOutcome } from '../internal/source'

/**
 * PostHog's exports of events and persons, by batch, by file and by SQL. A person's row has one of their distinct ids;
 * the ids of a person are merged by the person's id, which is what merges after the ingestion left only there.
 */
export const posthog: ImportSource = {
  label: 'PostHog',
  files:
    'events and persons as Parquet, JSON lines or CSV: a batch export, a file download, or the result of an SQL query',
  columns:
    'event, distinct_id, timestamp and properties, or those of persons: distinct_id, person_id and created_at',
  eventOf(row) {
    // Tilth's own exports have these columns: as rows of PostHog their revenue, place and session would be lost
    if (row['traffic'] !== undefined && row['is_cookieless'] !== undefined)
      return leftOut(reasons.unknownForm)
    if (textIn(row, 'event') !== undefined) return eventOf(row)
    return textIn(row, 'distinct_id') !== undefined && textIn(row, 'person_id') !== undefined
      ? personOf(row)
      : leftOut(reasons.unknownForm)
  },
}

function eventOf(row: Properties): RowOutcome {
  const properties = propertiesIn(row)
  if (!properties) return leftOut(reasons.notJson)
  const at = parseTime(row['timestamp'])
  if (!at) return leftOut(reasons.noTime)
  const event = incomingEvent({ ...row, properties, timestamp: at.toISOString() })
  if (!event.distinctId) return leftOut(reasons.noVisitor)
  const claimed = (textIn(row, 'uuid') ?? textIn(row, 'id') ?? '').toLowerCase()
  const uuid = isUuid(claimed) ? claimed : uuidFrom(`posthog ${JSON.stringify(row)}`)
  return { kept: true, event: importedEventOf({ ...event, distinctId: event.distinctId }, { uuid, at }) }
}

/** The event by which PostHog's own SDKs set properties of a person, dated when the person was created. */
function personOf(row: Properties): RowOutcome {
  const properties = propertiesIn(row)
  if (!properties) return leftOut(reasons.notJson)
  const [distinctId = '', personId = ''] = [textIn(row, 'distinct_id'), textIn(row, 'person_id')]
  if (row['is_deleted'] === true || row['is_deleted'] === 1 || row['is_deleted'] === '1')
    return leftOut('of a deleted person')
  const at = parseTime(row['created_at']) ?? parseTime(row['person_created_at'])
  if (!at) return leftOut(reasons.noTime)
  const event = incomingEvent({
    event: '$set',
    distinct_id: distinctId,
    properties: { $lib: 'posthog-export' },
    $set: properties,
  })
  const imported = importedEventOf(
    { ...event, distinctId },
    {
      uuid: uuidFrom(`posthog person ${personId} ${distinctId}`),
      at,
    },
  )
  return { kept: true, event: { ...imported, identity: { kind: 'merge', other: personId } } }
}

/** Properties are an object in JSON lines, and its text in CSV; other columns say what the object leaves out. */
function propertiesIn(row: Properties): Properties | undefined {
  const properties = objectIn(row['properties'])
  if (!properties) return undefined
  const more: Properties = {}
  for (const [column, name] of columnsOfProperties) {
    const text = textIn(row, column)
    if (text !== undefined && properties[name] === undefined) more[name] = text
  }
  const merged = { ...properties, ...more }
  // the place of an event is kept instead of looking the address up again
  if (merged['$geoip_country_code'] !== undefined) delete merged['$ip']
  return merged
}

const columnsOfProperties = [
  ['$session_id', '$session_id'],
  ['elements_chain', '$elements_chain'],
] as const

function objectIn(value: Json | undefined): Properties | undefined {
  if (value === undefined || value === null || value === '') return {}
  if (typeof value === 'object') return Array.isArray(value) ? undefined : value
  if (typeof value !== 'string') return undefined
  try {
    const parsed = JSON.parse(value) as Json // by definition
    return typeof parsed === 'string' ? objectIn(parsed) : isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: Json): value is Properties =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function textIn(row: Properties, name: string): string | undefined {
  const value = row[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
