import type { IncomingEvent, Json, Properties } from '#events/event'
import { isProperties } from '../decode-body'
import { trackerEvent } from '../internal/tracker-events'
import { parseTime } from '../posthog/time'
import { numberField, textField, withoutUndefined } from '../read-fields'

/** Converts the script’s fields of a view, or of an event: then the path is its name. Imports write the same fields. */
export function countedEvent(fields: Properties, origin: string | undefined): IncomingEvent {
  const path = textField(fields, 'p') ?? ''
  const isEvent = textField(fields, 'e') === 'true'
  return trackerEvent({
    name: isEvent ? path : '$pageview',
    properties: withoutUndefined({
      ...(isEvent
        ? { $current_url: origin && `${origin}/` }
        : pageProperties(path, textField(fields, 'q'), origin)),
      title: textField(fields, 't'),
      $referrer: textField(fields, 'r'),
      $screen_width: numberField(fields, 's'),
      $lib: 'goatcounter',
    }),
  })
}

/** The path may be one of the site’s own choosing; the query comes beside it, and in it. */
function pageProperties(path: string, query = '', origin?: string): Record<string, Json | undefined> {
  const whole = path.startsWith('/') ? path : `/${path}`
  const address = whole.includes('?') || query === '' ? whole : `${whole}?${query.replace(/^\?/, '')}`
  return origin === undefined ? { $pathname: whole.split('?', 1)[0] } : { $current_url: origin + address }
}

/** Converts a hit that a server sends. */
export function hitEvent(input: Json): IncomingEvent {
  const hit = isProperties(input) ? input : {}
  const path = textField(hit, 'path')
  const isEvent = hit['event'] === true
  const [width] = Array.isArray(hit['size']) ? hit['size'] : []
  return trackerEvent({
    name: path === undefined ? '' : isEvent ? path : '$pageview',
    timestamp: parseTime(hit['created_at']),
    properties: withoutUndefined({
      ...(!isEvent && pageProperties(path ?? '', textField(hit, 'query'), hostOf(hit))),
      title: textField(hit, 'title'),
      $referrer: textField(hit, 'ref'),
      $screen_width: typeof width === 'number' ? width : undefined,
      $ip: textField(hit, 'ip'),
      $raw_user_agent: textField(hit, 'user_agent'),
      $lib: 'goatcounter',
    }),
  })
}

const hostOf = (hit: Properties): string | undefined => {
  const host = textField(hit, 'host')
  return host === undefined ? undefined : `https://${host}`
}
