import type { IncomingEvent, Json, Properties } from '#events/event'
import { trackerEvent } from '../trackers/tracker-events'
import { withoutUndefined, numberField, textField } from '../trackers/read-fields'
import { isMetric, roundVital, vitalName } from '../trackers/vitals'
import { isProperties } from '../decode-body'

/** The page that the first metric is of: all of one request are of one site. */
export function pageOfVitals(fields: Properties): string | undefined {
  const [first] = metricsIn(fields)
  return first && textField(first, 'href')
}

/** One event for each page that the metrics are of; nearly always there is one. */
export function vitalsOf(fields: Properties): IncomingEvent[] {
  const pages = Map.groupBy(metricsIn(fields), (metric) => textField(metric, 'href') ?? '')
  return [...pages.values()].map((metrics) => vitalsOfPage(fields, metrics))
}

/** There are six metrics; a longer list is not a real client's. */
const mostMetrics = 100

const metricsIn = (fields: Properties): Properties[] =>
  (Array.isArray(fields['metrics']) ? fields['metrics'] : []).slice(0, mostMetrics).filter(isProperties)

function vitalsOfPage(fields: Properties, metrics: readonly Properties[]): IncomingEvent {
  const [first = {}] = metrics
  return trackerEvent({
    name: '$web_vitals',
    properties: {
      ...Object.fromEntries(metrics.flatMap(valueOf)),
      ...withoutUndefined({
        $current_url: textField(first, 'href'),
        route: textField(first, 'route'),
        connection: textField(fields, 'speed'),
        $lib: textField(fields, 'sdkName'),
        $lib_version: textField(fields, 'sdkVersion'),
      }),
    },
  })
}

function valueOf(metric: Properties): [string, Json][] {
  const type = textField(metric, 'type')?.toUpperCase()
  const value = numberField(metric, 'value')
  if (type === undefined || value === undefined || !isMetric(type)) return []
  return [[vitalName(type), roundVital(type, value)]]
}
