import type { IncomingEvent, Json, PersonChanges, Properties } from '#events/event'
import { isProperties } from '../decode-body'
import { parseTime } from '../posthog/time'
import { idOf } from '../internal/read-identity'
import { numberField, propertiesField, textField, withoutUndefined } from '../read-fields'
import { noPersonChanges, trackerEvent } from '../internal/tracker-events'
import { uuidOf } from '../internal/uuid'

export const messageTypes = ['track', 'page', 'screen', 'identify', 'group', 'alias'] as const
type MessageType = (typeof messageTypes)[number]

const isMessageType = (type: string | undefined): type is MessageType =>
  messageTypes.some((one) => one === type)

/** Segment's groups have no type. */
const groupType = 'group'

/** The part of an event that depends on the type of the message. */
type TypedPart = Pick<IncomingEvent, 'name' | 'properties'> &
  Partial<Pick<IncomingEvent, 'person' | 'identity' | 'group'>>

const parts: Readonly<Record<MessageType, (message: Properties) => TypedPart>> = {
  track: (message) => {
    const properties = propertiesField(message, 'properties')
    const name = textField(message, 'event') ?? ''
    return { name, properties: { ...properties, ...orderRevenue(name, properties) } }
  },
  page: (message) => ({ name: '$pageview', properties: pageProperties(message) }),
  screen: (message) => ({
    name: '$screen',
    properties: {
      ...propertiesField(message, 'properties'),
      ...withoutUndefined({ $screen_name: textField(message, 'name') }),
    },
  }),
  identify: (message) => ({
    name: '$identify',
    properties: {},
    person: { ...noPersonChanges, set: propertiesField(message, 'traits') },
  }),
  group: (message) => {
    const key = idOf(message['groupId'])
    return {
      name: '$groupidentify',
      properties: {},
      group: key === '' ? undefined : { type: groupType, key, set: propertiesField(message, 'traits') },
    }
  },
  alias: (message) => ({ name: '$create_alias', properties: {}, identity: aliasIn(message) }),
}

/** Converts a message. Other input becomes an event without a name, which is dropped and counted. */
export function segmentEvent(input: Json, typeOfPath?: string): IncomingEvent {
  const message = isProperties(input) ? input : {}
  const type = textField(message, 'type') ?? typeOfPath
  const part = isMessageType(type) ? parts[type](message) : { name: '', properties: {} }
  const context = propertiesField(message, 'context')
  const [userId, anonymousId] = [idOf(message['userId']), idOf(message['anonymousId'])]
  const messageId = textField(message, 'messageId')
  const person = part.person ?? traitsIn(context)
  return trackerEvent({
    ...part,
    person,
    uuid: messageId === undefined ? undefined : uuidOf(messageId),
    distinctId: userId || anonymousId,
    timestamp: parseTime(message['timestamp']) ?? parseTime(message['originalTimestamp']),
    hasPerson: userId !== '' || Object.keys(person.set).length > 0,
    properties: { ...part.properties, ...contextProperties(context, part.properties) },
    identity: part.identity ?? identityOf(userId, anonymousId),
    groups: groupsIn(message, context),
  })
}

const identityOf = (userId: string, anonymousId: string): IncomingEvent['identity'] =>
  userId === '' || anonymousId === '' || userId === anonymousId
    ? undefined
    : { kind: 'identify', anonymous: anonymousId }

function aliasIn(message: Properties): IncomingEvent['identity'] {
  const previous = idOf(message['previousId'])
  return previous === '' || previous === idOf(message['userId'])
    ? undefined
    : { kind: 'alias', alias: previous }
}

function groupsIn(message: Properties, context: Properties): Readonly<Record<string, string>> {
  const key = idOf(message['groupId']) || idOf(context['groupId'])
  return key === '' ? {} : { [groupType]: key }
}

const traitsIn = (context: Properties): PersonChanges => {
  const set = propertiesField(context, 'traits')
  return Object.keys(set).length === 0 ? noPersonChanges : { ...noPersonChanges, set }
}

/** The standard properties of a page, which have names of their own here. */
const pageFields = new Set(['path', 'referrer', 'search', 'title', 'url'])

function pageProperties(message: Properties): Properties {
  const properties = propertiesField(message, 'properties')
  const own = Object.entries(properties).filter(([name]) => !pageFields.has(name))
  return {
    ...Object.fromEntries(own),
    ...withoutUndefined({ name: textField(message, 'name'), category: textField(message, 'category') }),
    ...addressOf(properties),
  }
}

const addressOf = (page: Properties): Properties =>
  withoutUndefined({
    $current_url: textField(page, 'url'),
    $referrer: textField(page, 'referrer'),
    title: textField(page, 'title'),
  })

/** Segment's plan for shops names the amount of an order `total`, if it has no `revenue`. */
const orderRevenue = (name: string, properties: Properties): Properties =>
  name === 'Order Completed' && properties['revenue'] === undefined
    ? withoutUndefined({ $revenue: properties['total'] })
    : {}

/** Reads what the library knows about page, campaign, device and app; what the message says itself comes first. */
function contextProperties(context: Properties, own: Properties): Properties {
  const field = (name: string) => propertiesField(context, name)
  const [screen, library, campaign, app] = [
    field('screen'),
    field('library'),
    field('campaign'),
    field('app'),
  ]
  const [os, device] = [field('os'), field('device')]
  const found = withoutUndefined({
    ...addressOf(field('page')),
    utm_source: textField(campaign, 'source'),
    utm_medium: textField(campaign, 'medium'),
    utm_campaign: textField(campaign, 'name'),
    utm_term: textField(campaign, 'term'),
    utm_content: textField(campaign, 'content'),
    $screen_width: numberField(screen, 'width'),
    $screen_height: numberField(screen, 'height'),
    $os: textField(os, 'name'),
    $os_version: textField(os, 'version'),
    $device_manufacturer: textField(device, 'manufacturer'),
    $device_model: textField(device, 'model'),
    $device_type: textField(device, 'type'),
    $app_name: textField(app, 'name'),
    $app_version: textField(app, 'version'),
    $app_build: textField(app, 'build'),
    $browser_language: textField(context, 'locale'),
    $timezone: textField(context, 'timezone'),
    $ip: textField(context, 'ip'),
    $raw_user_agent: textField(context, 'userAgent'),
    $lib: textField(library, 'name'),
    $lib_version: textField(library, 'version'),
  })
  return { ...found, ...Object.fromEntries(Object.entries(own).filter(([name]) => name in found)) }
}
