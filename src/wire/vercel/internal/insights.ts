import type { Envelope, IncomingEvent, Json, Properties } from '#events/event'
import type { WireRequest } from '../../dialect'
import { trackerEvent } from '../../internal/tracker-events'
import { withoutUndefined, propertiesField, textField } from '../../read-fields'

/**
 * Parses a page view, or an event if it has a name (`en`). The time (`ts`) is ignored, because events are sent as they
 * happen.
 */
export function insightsEvent(fields: Properties): IncomingEvent {
  return trackerEvent({
    name: textField(fields, 'en') ?? '$pageview',
    properties: {
      ...propertiesField(fields, 'ed'),
      ...withoutUndefined({
        $current_url: textField(fields, 'o'),
        $referrer: textField(fields, 'r'),
        route: textField(fields, 'dp'),
        $lib: textField(fields, 'sdkn'),
        $lib_version: textField(fields, 'sdkv'),
      }),
      ...flagsIn(fields),
    },
  })
}

/** `f.p` contains the flags decided for the visitor, with their values. */
function flagsIn(fields: Properties): Properties {
  const decided = propertiesField(propertiesField(fields, 'f'), 'p')
  const flags = Object.entries(decided).map(([flag, value]): [string, Json] => [`$feature/${flag}`, value])
  return Object.fromEntries(flags)
}

/**
 * Reads the sender of a server that calls `track` for a visitor: it passes on the visitor's user agent, and the
 * address in a header of its own. Tilth trusts it like the address of any server SDK: a false one affects only
 * locations.
 */
export function serverSender({ headers }: WireRequest): Partial<Envelope> & { properties?: Properties } {
  if (headers['x-va-server'] !== '1') return {}
  const address = headers['x-vercel-ip']
  return {
    fromServer: true,
    properties: withoutUndefined({
      $ip: typeof address === 'string' ? address : undefined,
      $raw_user_agent: headers['user-agent'],
    }),
  }
}
