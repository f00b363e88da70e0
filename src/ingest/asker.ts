import type { Envelope, IncomingEvent, Properties } from '../events/event'
import { locate } from './steps/place'
import { type Arrival, type House, type Underway, underway } from './steps/step'
import { findSender } from './steps/traffic'
import { readUserAgent } from './steps/user-agent'
import { findVisitor } from './steps/visitor'

/** Somebody who asks about flags: no event of theirs has come, and yet they are to be seen with the same eyes. */
export interface Asker {
  envelope: Envelope
  /** What the client says about the visitor. */
  properties: Properties
  /** Of the page that asks; '' where nobody says. */
  host: string
}

/** What a request tells of the visitor by itself, in the words in which flags ask for it. */
export function circumstancesOf({ envelope, properties }: Asker, house: House): Properties {
  const draft = draftOf(properties, envelope)
  const arrival: Arrival = { envelope, house, rules: house.rulesOf(envelope.projectId) }
  for (const step of [findSender, locate, readUserAgent]) step(draft, arrival)
  return namedAsAsked(draft)
}

/** Until the database of places has been read, nobody knows where anybody is. */
export const placesReadyFor = ({ envelope }: Asker, house: House): Promise<void> | undefined =>
  house.places.readyFor(envelope.address)

/** The id that an event of this visitor would have today. */
export function cookielessVisitor({ envelope, properties, host }: Asker, house: House): string {
  const draft = draftOf(properties, envelope)
  draft.isCookieless = true
  if (host !== '') draft.columns.host = host
  const arrival: Arrival = { envelope, house, rules: house.rulesOf(envelope.projectId) }
  for (const step of [findSender, findVisitor]) step(draft, arrival)
  return draft.distinctId
}

/** The steps look at an event; this one says no more than the request did. */
const draftOf = (properties: Properties, envelope: Envelope): Underway =>
  underway({ ...silent, properties }, envelope)

const silent: Omit<IncomingEvent, 'properties'> = {
  uuid: undefined,
  name: '',
  distinctId: undefined,
  timestamp: undefined,
  ageMs: undefined,
  hasPerson: false,
  person: { set: {}, setOnce: {}, unset: [], add: {} },
  identity: undefined,
  groups: {},
  group: undefined,
}

/** Whether somebody's place has to be known for it. */
export const isAboutPlace = (name: string): boolean => name.startsWith('$geoip_')

/** The column of an event, and the name of the same thing as a property of a person. */
const names = {
  country: '$geoip_country_code',
  region: '$geoip_subdivision_1_name',
  city: '$geoip_city_name',
  browser: '$browser',
  browser_version: '$browser_version',
  os: '$os',
  os_version: '$os_version',
  device: '$device_type',
} as const

/** All that a request can tell. */
export const circumstances: readonly string[] = Object.values(names)

function namedAsAsked({ columns }: Underway): Properties {
  const told: Properties = {}
  for (const [column, name] of Object.entries(names)) {
    // the entries of a list have the list's own names
    const value = columns[column as keyof typeof names]
    if (value !== undefined) told[name] = value
  }
  return told
}
