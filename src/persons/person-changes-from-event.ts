import type { EventColumns, PersonChanges, PreparedEvent, Properties } from '#events/event'

/** Person properties that are derived from events: the first origin, and the current devices. */
const learnedProperties: readonly { column: keyof EventColumns; latest: string; first: string }[] = [
  { column: 'browser', latest: '$browser', first: '$initial_browser' },
  { column: 'os', latest: '$os', first: '$initial_os' },
  { column: 'device', latest: '$device_type', first: '$initial_device_type' },
  { column: 'country', latest: '$geoip_country_code', first: '$initial_geoip_country_code' },
  { column: 'region', latest: '$geoip_subdivision_1_name', first: '$initial_geoip_subdivision_1_name' },
  { column: 'city', latest: '$geoip_city_name', first: '$initial_geoip_city_name' },
  { column: 'referrer', latest: '$referrer', first: '$initial_referrer' },
  { column: 'referrer_host', latest: '$referring_domain', first: '$initial_referring_domain' },
  { column: 'path', latest: '$pathname', first: '$initial_pathname' },
  { column: 'utm_source', latest: 'utm_source', first: '$initial_utm_source' },
  { column: 'utm_medium', latest: 'utm_medium', first: '$initial_utm_medium' },
  { column: 'utm_campaign', latest: 'utm_campaign', first: '$initial_utm_campaign' },
  { column: 'utm_content', latest: 'utm_content', first: '$initial_utm_content' },
  { column: 'utm_term', latest: 'utm_term', first: '$initial_utm_term' },
]

/** Returns the person properties of an event, explicit and derived; explicit ones take precedence. */
export function personChangesFromEvent(event: PreparedEvent): PersonChanges {
  const { person, name } = event
  // a person set from a server has no browser, so only page views update derived properties
  if (name !== '$pageview' && name !== '$screen' && name !== '$identify') return person
  // read last: an event from the journal parses its columns on every access
  const { columns } = event
  const latest: Properties = {}
  const first: Properties = {}
  for (const { column, latest: now, first: once } of learnedProperties) {
    const value = columns[column]
    if (value === undefined || value === '') continue
    latest[now] = value
    first[once] = value
  }
  return { ...person, set: { ...latest, ...person.set }, setOnce: { ...first, ...person.setOnce } }
}
