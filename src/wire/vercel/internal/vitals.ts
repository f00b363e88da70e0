import type { IncomingEvent, Json, Properties } from '#events/event'
import { trackerEvent } from '../../internal/tracker-events'
import { withoutUndefined, numberField, textField } from '../../read-fields'
import { isMetric, roundVital, vitalName } from '../../internal/vitals'
import { isProperties } from '../../decode-body'

/** The page of the first metric: all metrics of a request are of one site. */
export function pageOfVitals(fields: Properties): string | undefined {
  const [first] = metricsIn(fields)
  return first && textField(first, 'href')
}

/** Creates one event for each page that has metrics; usually there is one. */
export function vitalsOf(fields: Properties): IncomingEvent[] {
  const pages = Map.groupBy(metricsIn(fields), (metric) => textField(metric, 'href') ?? '')
  return [...pages.values()].map((metrics) => vitalsOfPage(fields, metrics))
}

/** The limit of metrics: there are six kinds, so no real client sends a longer list. */
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
