import type { IncomingEvent, Json, Properties } from '../../events/event'
import { anEvent } from '../trackers/arrivals'
import { known, numberIn, propertiesIn, textIn } from '../trackers/said'
import { isProperties, parsed } from '../unpack'

/** What Plausible calls the events that every tracker knows, and what they are called here. */
const standardNames: Readonly<Record<string, string>> = {
  pageview: '$pageview',
  engagement: '$engagement',
  'Outbound Link: Click': '$outbound_click',
  'File Download': '$file_download',
  'Form: Submission': '$form_submit',
  '404': '$not_found',
}

/** Why it is no event, in Plausible's form of a complaint. */
export function objectionTo(said: Properties): Record<string, string[]> | undefined {
  const missing = [
    ...(textIn(said, 'n', 'name') === undefined ? ['event_name'] : []),
    ...(textIn(said, 'u', 'url') === undefined ? ['url'] : []),
    ...(textIn(said, 'd', 'domain') === undefined ? ['domain'] : []),
  ]
  if (missing.length === 0) return undefined
  return Object.fromEntries(missing.map((field) => [field, ["can't be blank"]]))
}

export function eventOf(said: Properties): IncomingEvent {
  const name = textIn(said, 'n', 'name') ?? ''
  const revenue = revenueIn(said)
  return anEvent({
    name: Object.hasOwn(standardNames, name) ? (standardNames[name] ?? name) : name,
    properties: {
      ...propsIn(said),
      ...known({
        $current_url: textIn(said, 'u', 'url'),
        $referrer: textIn(said, 'r', 'referrer'),
        $screen_width: numberIn(said, 'w') ?? numberIn(said, 'screen_width'),
        $engaged_ms: numberIn(said, 'e'),
        $scroll_depth: scrollDepthIn(said),
        $is_interactive: said['i'] === false || said['interactive'] === false ? false : undefined,
        $revenue: revenue['amount'],
        $currency: revenue['currency'],
        $lib: 'plausible',
        $lib_version: textIn(said, 'v'),
      }),
    },
  })
}

/** 255 stands for a page that was never scrolled. */
function scrollDepthIn(said: Properties): number | undefined {
  const depth = numberIn(said, 'sd')
  return depth === undefined || depth > 100 ? undefined : depth
}

/** Plausible keeps as many; what is empty or has parts says nothing there either. */
const mostProps = 30

function propsIn(said: Properties): Properties {
  const named = ['p', 'props', 'm', 'meta']
    .map((name) => objectIn(said, name))
    .find((props) => props !== undefined)
  const entries = Object.entries(named ?? {}).filter(([, value]) => value !== '' && isScalar(value))
  return Object.fromEntries(entries.slice(0, mostProps))
}

const isScalar = (value: Json): boolean => value !== null && typeof value !== 'object'

/** The old tracker writes properties as JSON within the JSON. */
function objectIn(said: Properties, name: string): Properties | undefined {
  const value = said[name]
  if (typeof value !== 'string') return isProperties(value) ? value : undefined
  const inside = parsed(value)
  return inside.read && isProperties(inside.what) ? inside.what : undefined
}

function revenueIn(said: Properties): Properties {
  const revenue = objectIn(said, '$') ?? objectIn(said, 'revenue')
  return revenue ?? propertiesIn(said, '$')
}
