import type { IncomingEvent, Json, Properties } from '#events/event'
import { isProperties } from '../decode-body'
import { trackerEvent, noPersonChanges } from '../internal/tracker-events'
import { withoutUndefined, numberField, propertiesField, textField, dateOfMs } from '../read-fields'
import { roundVital } from '../internal/vitals'
import { uuidOf } from '../internal/uuid'

/** The limit of events; no page sends more between two requests. */
const mostEvents = 1000

/**
 * Parses the events of one page. Fields beside `events` apply to all of them. `visitor` is the id for a page that
 * sends none.
 */
export function parseEvents(fields: Properties, visitor: string | undefined): IncomingEvent[] {
  const listed = Array.isArray(fields['events']) ? fields['events'].slice(0, mostEvents) : []
  const page = pageOf(fields)
  const distinctId = textField(fields, 'distinctId') ?? visitor
  const anonymousId = textField(fields, 'anonymousId')
  return listed.map((event) => {
    const parsed = eventOf(isProperties(event) ? event : {}, page, distinctId)
    return parsed.name === '$identify' ? identifying(parsed, anonymousId) : parsed
  })
}

/** Makes the visitor so far and the named person one. */
const identifying = (event: IncomingEvent, anonymousId: string | undefined): IncomingEvent =>
  anonymousId === undefined || anonymousId === event.distinctId
    ? event
    : { ...event, identity: { kind: 'identify', anonymous: anonymousId } }

export const sentAtOf = (fields: Properties): Date | undefined => dateOfMs(numberField(fields, 'sentAt'))

/** Whether the visitor opted out: scripts read `true` or "1" from browsers. */
export const optedOutIn = (fields: Properties): boolean =>
  fields['optedOut'] === true || fields['optedOut'] === '1'

const pageOf = (fields: Properties): Properties =>
  withoutUndefined({
    $current_url: textField(fields, 'url'),
    $referrer: textField(fields, 'referrer'),
    title: textField(fields, 'title'),
    $screen: textField(fields, 'screen'),
    tag: textField(fields, 'tag'),
    $lib: 'tilth',
  })

function eventOf(event: Properties, page: Properties, distinctId: string | undefined): IncomingEvent {
  const revenue = propertiesField(event, 'revenue')
  const uuid = textField(event, 'uuid')
  const time = numberField(event, 'time')
  return trackerEvent({
    uuid: uuid === undefined ? undefined : uuidOf(uuid),
    name: textField(event, 'name') ?? '',
    distinctId,
    timestamp: dateOfMs(time),
    // an event's own properties override those of its page
    properties: {
      ...page,
      ...roundMeasurements(propertiesField(event, 'props')),
      ...withoutUndefined({ $revenue: revenue['amount'], $currency: revenue['currency'] }),
    },
    person: { ...noPersonChanges, set: propertiesField(event, 'set') },
  })
}

/** Rounds measurements here rather than in the script, to keep the script small. */
function roundMeasurements(props: Properties): Properties {
  const entries = Object.entries(props).map(([key, value]): [string, Json] => {
    const metric = /^\$web_vitals_([A-Z]+)_value$/.exec(key)?.[1]
    if (typeof value !== 'number') return [key, value]
    if (metric) return [key, roundVital(metric, value)]
    return [key, key === '$engaged_ms' || key === '$scroll_depth' ? Math.round(value) : value]
  })
  return Object.fromEntries(entries)
}
