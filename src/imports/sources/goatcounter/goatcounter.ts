import type { Properties } from '#events/event'
import { uuidFrom } from '#ingest/uuid'
import { countedEvent } from '#wire/goatcounter/events'
import { parseTime } from '#wire/posthog/time'
import { textField, withoutUndefined } from '#wire/read-fields'
import { countryCode, systemOf } from '../internal/names'
import { type ImportSource, keptEvent, leftOut, reasons, visitorEvent } from '../internal/source'

/**
 * GoatCounter's CSV of single page views. The version of the format precedes the name of the first column. A session is a
 * visitor for eight hours.
 */
export const goatcounter: ImportSource = {
  label: 'GoatCounter',
  files: 'the CSV export, which needs “individual pageviews” to be switched on',
  columns: 'Path, Session, FirstVisit and Date',
  eventOf(row) {
    const path = pathOf(row)
    const session = textField(row, 'Session')
    if (path === undefined || row['FirstVisit'] === undefined) return leftOut(reasons.unknownForm)
    const at = parseTime(row['Date'])
    if (!at) return leftOut(reasons.noTime)
    if (!['', '0', 'false'].includes(textField(row, 'Bot') ?? '')) return leftOut(reasons.robot)
    if (session === undefined) return leftOut(reasons.noVisitor)
    const isEvent = ['1', 'true'].includes(textField(row, 'Event') ?? '')
    const { name, properties } = countedEvent(sentBy(row, path, isEvent), undefined)
    const event = visitorEvent({
      name,
      distinctId: session,
      properties: {
        ...properties,
        ...detailsOf(row),
        $session_id: uuidFrom(`goatcounter session ${session}`),
      },
    })
    return keptEvent(event, { at, of: { source: 'goatcounter', row } })
  },
}

const pathOf = (row: Properties): string | undefined => {
  const column = Object.keys(row).find((name) => /^\d*Path$/.test(name))
  return column === undefined ? undefined : textField(row, column)
}

/** The fields that the script had sent; the dialect gives their values names. Campaigns are referrers of the scheme c. */
function sentBy(row: Properties, path: string, isEvent: boolean): Properties {
  const [referrer, scheme] = [textField(row, 'Referrer'), textField(row, 'Referrer scheme')]
  return withoutUndefined({
    p: path,
    e: String(isEvent),
    t: textField(row, 'Title'),
    r: scheme === 'h' && referrer !== undefined ? `https://${referrer}` : undefined,
    s: textField(row, 'Screen size')?.split(',', 1)[0],
  })
}

function detailsOf(row: Properties): Properties {
  const [browser, browserVersion] = nameAndVersion(textField(row, 'Browser'))
  const [country, region] = (textField(row, 'Location') ?? '').split('-', 2)
  const [width, height] = (textField(row, 'Screen size') ?? '').split(',').map(Number)
  return withoutUndefined({
    utm_source: textField(row, 'Referrer scheme') === 'c' ? textField(row, 'Referrer') : undefined,
    $raw_user_agent: textField(row, 'UserAgent'),
    $browser: browser,
    $browser_version: browserVersion,
    ...systemOf(textField(row, 'System')),
    $screen: width && height ? `${width}x${height}` : undefined,
    $geoip_country_code: countryCode(country),
    $geoip_subdivision_1_name: region,
  })
}

const nameAndVersion = (text: string | undefined): [string | undefined, string | undefined] => {
  const [, name, version] = /^(.+?)(?: ([\d.]+))?$/.exec(text ?? '') ?? []
  return [name, version]
}
