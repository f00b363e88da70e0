import { z } from 'zod'
import type { Json, Properties } from '#events/event'
import { uuidFrom } from '#ingest/uuid'
import { plausibleEvent, plausibleName } from '#wire/plausible/events'
import { parseTime } from '#wire/posthog/time'
import { numberField, textField, withoutUndefined } from '#wire/read-fields'
import { dailyCounts, type DailyDimension, dailySumOf } from '../../daily/daily-sum'
import { browserName, countryCode, deviceName, systemOf } from '../internal/names'
import {
  type ImportSource,
  keptEvent,
  leftOut,
  reasons,
  type RowOutcome,
  visitorEvent,
} from '../internal/source'

/**
 * The events of Plausible Community Edition, out of its ClickHouse: `select * from events_v2 format JSONEachRow`. The
 * export of Plausible's site has daily totals. No event can be made of those, so they are kept as they are.
 */
export const plausible: ImportSource = {
  label: 'Plausible',
  files:
    'the zip archive of its export, which has daily totals; or the table events_v2 of Community Edition’s ClickHouse, as JSON lines, which has every event',
  columns: 'date and visitors, or those of events_v2: name, timestamp, user_id and pathname',
  eventOf(row) {
    if (row['date'] !== undefined && row['visitors'] !== undefined) return sumsOf(row)
    const [name, user] = [textField(row, 'name'), textField(row, 'user_id')]
    if (name === undefined) return leftOut(reasons.unknownForm)
    const at = parseTime(row['timestamp'])
    if (!at) return leftOut(reasons.noTime)
    if (user === undefined) return leftOut(reasons.noVisitor)
    const session = textField(row, 'session_id') ?? user
    const { properties, ...sent } = plausibleEvent(sentBy(row))
    const event = visitorEvent({
      name: sent.name,
      distinctId: user,
      properties: {
        ...properties,
        ...campaignOf(row),
        ...deviceOf(row),
        $session_id: uuidFrom(`plausible session ${session}`),
      },
    })
    return keptEvent(event, { at, of: { source: 'plausible', row } })
  },
}

/** The columns of a day's values, and the dimensions they become. Sources have several in one row. */
const dimensionColumns: readonly (readonly [column: string, DailyDimension])[] = [
  ['source', 'source'],
  ['utm_source', 'utm_source'],
  ['utm_medium', 'utm_medium'],
  ['utm_campaign', 'utm_campaign'],
  ['utm_content', 'utm_content'],
  ['utm_term', 'utm_term'],
  ['page', 'page'],
  ['entry_page', 'entry'],
  ['exit_page', 'exit'],
  ['country', 'country'],
  ['region', 'region'],
  ['device', 'device'],
  ['browser', 'browser'],
  ['operating_system', 'os'],
  ['name', 'event'],
]

/** Values whose names differ from Plausible's. */
const translated: Partial<Record<DailyDimension, (name: string) => string | undefined>> = {
  country: countryCode,
  device: deviceName,
  browser: browserName,
  os: (name) => systemOf(name).$os,
  event: plausibleName,
}

function sumsOf(row: Properties): RowOutcome {
  const day = z.iso.date().safeParse(textField(row, 'date')).data
  if (day === undefined) return leftOut(reasons.noTime)
  const figures = dailyCounts.safeParse(countsIn(row)).data
  if (!figures) return leftOut(reasons.unknownForm)
  const columns = dimensionColumns.filter(([column]) => Object.hasOwn(row, column))
  if (columns.length === 0) return { kept: true, sums: [dailySumOf(day, 'total', '', figures)] }
  const sums = columns.flatMap(([column, dimension]) => {
    const value = valueIn(row, column, dimension)
    return value === undefined ? [] : [dailySumOf(day, dimension, value, figures)]
  })
  return sums.length > 0 ? { kept: true, sums } : leftOut('daily totals without a value')
}

/** Visits without a source came directly. */
function valueIn(row: Properties, column: string, dimension: DailyDimension): string | undefined {
  const text = textField(row, column)
  if (text === undefined) return dimension === 'source' ? '' : undefined
  return (translated[dimension] ?? String)(text)
}

/** Entrances and exits are the visits of their pages. */
const countsIn = (row: Properties) => ({
  visitors: numberField(row, 'visitors'),
  visits: numberField(row, 'visits') ?? numberField(row, 'entrances') ?? numberField(row, 'exits'),
  views: numberField(row, 'pageviews'),
  bounces: numberField(row, 'bounces'),
  seconds: numberField(row, 'visit_duration'),
  events: numberField(row, 'events'),
})

/** Own properties are two lists, of their names and of their values. */
function metaOf(row: Properties): Properties {
  const [names, values] = [listOf(row['meta.key']), listOf(row['meta.value'])]
  return Object.fromEntries(
    names.flatMap((name, n) => (typeof name === 'string' ? [[name, values[n] ?? '']] : [])),
  )
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** The fields that the tracker had sent; the dialect gives their values names. */
function sentBy(row: Properties): Properties {
  const [host, path] = [textField(row, 'hostname'), textField(row, 'pathname')]
  const [name, referrer] = [textField(row, 'name'), textField(row, 'referrer')]
  return withoutUndefined({
    n: name,
    u: host === undefined || path === undefined ? undefined : `https://${host}${path}`,
    r: referrer === undefined || referrer.includes('://') ? referrer : `https://${referrer}`,
    p: metaOf(row),
    // the columns of other events hold a number too
    ...(name === 'engagement' && { e: row['engagement_time'], sd: row['scroll_depth'] }),
    $: revenueOf(row),
  })
}

/** The amount as it was sent, or else as Plausible converted it. */
function revenueOf(row: Properties): Properties | undefined {
  const form = ['source', 'reporting'].find((one) => numberField(row, `revenue_${one}_amount`) !== undefined)
  if (form === undefined) return undefined
  return withoutUndefined({
    amount: numberField(row, `revenue_${form}_amount`),
    currency: textField(row, `revenue_${form}_currency`)?.replaceAll('\0', ''),
  })
}

const campaignOf = (row: Properties): Properties =>
  withoutUndefined(
    Object.fromEntries(
      ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'].map((name) => [
        name,
        textField(row, name),
      ]),
    ),
  )

const deviceOf = (row: Properties): Properties =>
  withoutUndefined({
    $browser: browserName(textField(row, 'browser')),
    $browser_version: textField(row, 'browser_version'),
    ...systemOf(textField(row, 'operating_system')),
    $os_version: textField(row, 'operating_system_version'),
    $device_type: deviceName(textField(row, 'screen_size')),
    $geoip_country_code: countryCode(textField(row, 'country_code')?.replaceAll('\0', '')),
    $geoip_subdivision_1_name: textField(row, 'subdivision1_code'),
    $lib: 'plausible',
  })
