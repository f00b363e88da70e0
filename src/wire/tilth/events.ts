import type { IncomingEvent, Json, Properties } from '../../events/event'
import { isProperties } from '../unpack'
import { anEvent, nothingNew } from '../trackers/arrivals'
import { known, numberIn, propertiesIn, textIn, timeOfMs } from '../trackers/said'
import { tidyVital } from '../trackers/vitals'
import { uuidOf } from '../trackers/uuid'

/** More than any page does between two requests. */
const mostEvents = 1000

/** What happened on one page. Everything beside `events` is said of all of them; `visitor` is whose they are where it names nobody. */
export function eventsOf(said: Properties, visitor: string | undefined): IncomingEvent[] {
  const listed = Array.isArray(said['events']) ? said['events'].slice(0, mostEvents) : []
  const page = pageOf(said)
  const distinctId = textIn(said, 'distinctId') ?? visitor
  return listed.map((event) => eventOf(isProperties(event) ? event : {}, page, distinctId))
}

export const sentAtOf = (said: Properties): Date | undefined => timeOfMs(numberIn(said, 'sentAt'))

/** As browsers say it to scripts: `true`, or "1". */
export const optedOutIn = (said: Properties): boolean => said['optedOut'] === true || said['optedOut'] === '1'

const pageOf = (said: Properties): Properties =>
  known({
    $current_url: textIn(said, 'url'),
    $referrer: textIn(said, 'referrer'),
    title: textIn(said, 'title'),
    $screen: textIn(said, 'screen'),
    tag: textIn(said, 'tag'),
    $lib: 'tilth',
  })

function eventOf(event: Properties, page: Properties, distinctId: string | undefined): IncomingEvent {
  const revenue = propertiesIn(event, 'revenue')
  const uuid = textIn(event, 'uuid')
  const time = numberIn(event, 'time')
  return anEvent({
    uuid: uuid === undefined ? undefined : uuidOf(uuid),
    name: textIn(event, 'name') ?? '',
    distinctId,
    timestamp: timeOfMs(time),
    // what an event says itself is nearer to it than what its page says of all
    properties: {
      ...page,
      ...tidied(propertiesIn(event, 'props')),
      ...known({ $revenue: revenue['amount'], $currency: revenue['currency'] }),
    },
    person: { ...nothingNew, set: propertiesIn(event, 'set') },
  })
}

/** The script measures more finely than anybody can feel; rounding is done here to keep it small. */
function tidied(props: Properties): Properties {
  const entries = Object.entries(props).map(([key, value]): [string, Json] => {
    const metric = /^\$web_vitals_([A-Z]+)_value$/.exec(key)?.[1]
    if (typeof value !== 'number') return [key, value]
    if (metric) return [key, tidyVital(metric, value)]
    return [key, key === '$engaged_ms' || key === '$scroll_depth' ? Math.round(value) : value]
  })
  return Object.fromEntries(entries)
}
