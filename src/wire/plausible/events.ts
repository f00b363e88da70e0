import type { IncomingEvent, Json, Properties } from '#events/event'
import { trackerEvent } from '../internal/tracker-events'
import { withoutUndefined, numberField, propertiesField, textField } from '../read-fields'
import { isProperties, parseJson } from '../decode-body'

/** Plausible's names of the standard events, and Tilth's. */
const standardNames: Readonly<Record<string, string>> = {
  pageview: '$pageview',
  engagement: '$engagement',
  'Outbound Link: Click': '$outbound_click',
  'File Download': '$file_download',
  'Form: Submission': '$form_submit',
  '404': '$not_found',
}

/** Returns the missing fields in Plausible's error format; undefined if none are missing. */
export function missingFields(fields: Properties): Record<string, string[]> | undefined {
  const missing = [
    ...(textField(fields, 'n', 'name') === undefined ? ['event_name'] : []),
    ...(textField(fields, 'u', 'url') === undefined ? ['url'] : []),
    ...(textField(fields, 'd', 'domain') === undefined ? ['domain'] : []),
  ]
  if (missing.length === 0) return undefined
  return Object.fromEntries(missing.map((field) => [field, ["can't be blank"]]))
}

/** Returns Tilth's name of an event. */
export const plausibleName = (name: string): string =>
  Object.hasOwn(standardNames, name) ? (standardNames[name] ?? name) : name

/** Converts the fields of an event. Imports of Plausible's table write the same fields. */
export function plausibleEvent(fields: Properties): IncomingEvent {
  const revenue = revenueIn(fields)
  return trackerEvent({
    name: plausibleName(textField(fields, 'n', 'name') ?? ''),
    properties: {
      ...propsIn(fields),
      ...withoutUndefined({
        $current_url: textField(fields, 'u', 'url'),
        $referrer: textField(fields, 'r', 'referrer'),
        $screen_width: numberField(fields, 'w') ?? numberField(fields, 'screen_width'),
        $engaged_ms: numberField(fields, 'e'),
        $scroll_depth: scrollDepthIn(fields),
        $is_interactive: fields['i'] === false || fields['interactive'] === false ? false : undefined,
        $revenue: revenue['amount'],
        $currency: revenue['currency'],
        $lib: 'plausible',
        $lib_version: textField(fields, 'v'),
      }),
    },
  })
}

/** 255 means that a page was never scrolled. */
function scrollDepthIn(fields: Properties): number | undefined {
  const depth = numberField(fields, 'sd')
  return depth === undefined || depth > 100 ? undefined : depth
}

/** Plausible's own limit. Like Plausible, empty and nested values are ignored. */
const mostProps = 30

function propsIn(fields: Properties): Properties {
  const container = ['p', 'props', 'm', 'meta']
    .map((name) => objectIn(fields, name))
    .find((props) => props !== undefined)
  const entries = Object.entries(container ?? {}).filter(([, value]) => value !== '' && isScalar(value))
  return Object.fromEntries(entries.slice(0, mostProps))
}

const isScalar = (value: Json): boolean => value !== null && typeof value !== 'object'

/** The old tracker sends properties as JSON text within the JSON. */
function objectIn(fields: Properties, name: string): Properties | undefined {
  const value = fields[name]
  if (typeof value !== 'string') return isProperties(value) ? value : undefined
  const inside = parseJson(value)
  return inside.read && isProperties(inside.what) ? inside.what : undefined
}

function revenueIn(fields: Properties): Properties {
  const revenue = objectIn(fields, '$') ?? objectIn(fields, 'revenue')
  return revenue ?? propertiesField(fields, '$')
}
