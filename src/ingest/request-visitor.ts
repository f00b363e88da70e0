import type { Envelope, IncomingEvent, Properties } from '#events/event'
import type { IngestRules } from './settings'
import { locate } from './steps/internal/locate'
import {
  type StepContext,
  type IngestContext,
  type PipelineDraft,
  createPipelineDraft,
} from './steps/internal/step'
import { findSender } from './steps/internal/traffic'
import { parseUserAgent, readUserAgent } from './steps/internal/user-agent'
import { findVisitor } from './steps/internal/visitor'

/** A visitor known only from a flag request. The properties are derived as those of an event are. */
export interface RequestVisitor {
  envelope: Envelope
  /** The client's own properties of the visitor. */
  properties: Properties
  /** Host of the page that sends the request; '' where the request does not name one. */
  host: string
}

/** Returns the visitor properties that a request shows, under the names that flags use. */
export function visitorPropertiesOf(
  { envelope, properties }: RequestVisitor,
  ingest: IngestContext,
): Properties {
  const draft = draftOf(properties, envelope)
  const context: StepContext = { envelope, ingest, rules: ingest.rulesOf(envelope.projectId) }
  for (const step of [findSender, locate, readUserAgent]) step(draft, context)
  return toVisitorProperties(draft)
}

/** Whether the request comes from a crawler; HTTP libraries may ask for a visitor. */
export function isCrawler({ envelope }: RequestVisitor): boolean {
  const { traffic, isProgram } = parseUserAgent(envelope.userAgent)
  return traffic !== 'human' && !isProgram
}

/**
 * Whether a site may identify the visitor by a cookie. Visitors who opted out get a daily id, unless the project ignores
 * opt-outs.
 */
export const mayBeIdentified = (
  { optedOut, projectId }: Pick<Envelope, 'optedOut' | 'projectId'>,
  ingest: { rulesOf: (projectId: number) => Pick<IngestRules, 'optOut'> },
): boolean => !optedOut || ingest.rulesOf(projectId).optOut === 'ignore'

/** The id that an event of this visitor would get today. */
export function cookielessVisitorId(
  { envelope, properties, host }: RequestVisitor,
  ingest: IngestContext,
): string {
  const draft = draftOf(properties, envelope)
  draft.isCookieless = true
  if (host !== '') draft.columns.host = host
  const context: StepContext = { envelope, ingest, rules: ingest.rulesOf(envelope.projectId) }
  for (const step of [findSender, findVisitor]) step(draft, context)
  return draft.distinctId
}

/** The steps expect an event; this one holds only the request's own facts. */
const draftOf = (properties: Properties, envelope: Envelope): PipelineDraft =>
  createPipelineDraft({ ...emptyEvent, properties }, envelope)

const emptyEvent: Omit<IncomingEvent, 'properties'> = {
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

/** The columns of an event, and the same facts as person properties. */
const propertyNames = {
  country: '$geoip_country_code',
  region: '$geoip_subdivision_1_name',
  city: '$geoip_city_name',
  browser: '$browser',
  browser_version: '$browser_version',
  os: '$os',
  os_version: '$os_version',
  device: '$device_type',
} as const

/** The names of all properties that a request can show. */
export const visitorPropertyNames: readonly string[] = Object.values(propertyNames)

function toVisitorProperties({ columns }: PipelineDraft): Properties {
  const properties: Properties = {}
  for (const [column, name] of Object.entries(propertyNames)) {
    // `propertyNames` is iterated, so each name is one of its own
    const value = columns[column as keyof typeof propertyNames]
    if (value !== undefined) properties[name] = value
  }
  return properties
}
