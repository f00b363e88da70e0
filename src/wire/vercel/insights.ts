import type { Envelope, IncomingEvent, Json, Properties } from '../../events/event'
import type { WireRequest } from '../dialect'
import { anEvent } from '../trackers/arrivals'
import { known, propertiesIn, textIn } from '../trackers/said'

/** A page view, or an event where it has a name (`en`). Its time (`ts`) is left: it leaves the moment it happens. */
export function eventOf(said: Properties): IncomingEvent {
  return anEvent({
    name: textIn(said, 'en') ?? '$pageview',
    properties: {
      ...propertiesIn(said, 'ed'),
      ...known({
        $current_url: textIn(said, 'o'),
        $referrer: textIn(said, 'r'),
        route: textIn(said, 'dp'),
        $lib: textIn(said, 'sdkn'),
        $lib_version: textIn(said, 'sdkv'),
      }),
      ...flagsIn(said),
    },
  })
}

/** `f.p` holds the flags that were decided for the visitor, with their values. */
function flagsIn(said: Properties): Properties {
  const decided = propertiesIn(propertiesIn(said, 'f'), 'p')
  const flags = Object.entries(decided).map(([flag, value]): [string, Json] => [`$feature/${flag}`, value])
  return Object.fromEntries(flags)
}

/**
 * A server that calls `track` speaks for a visitor, whose user agent it passes on and whose address it tells in a header
 * of its own. It is believed as every server SDK is that tells an address: whoever lies gets places wrong, no more.
 */
export function visitorBehind({ headers }: WireRequest): Partial<Envelope> & { properties?: Properties } {
  if (headers['x-va-server'] !== '1') return {}
  const address = headers['x-vercel-ip']
  return {
    fromServer: true,
    properties: known({
      $ip: typeof address === 'string' ? address : undefined,
      $raw_user_agent: headers['user-agent'],
    }),
  }
}
