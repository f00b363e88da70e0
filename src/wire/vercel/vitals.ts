import type { IncomingEvent, Json, Properties } from '../../events/event'
import { anEvent } from '../trackers/arrivals'
import { known, numberIn, textIn } from '../trackers/said'
import { isMetric, tidyVital, vitalName } from '../trackers/vitals'
import { isProperties } from '../unpack'

/** The page that the first metric is of: all of one request are of one site. */
export function pageOfVitals(said: Properties): string | undefined {
  const [first] = metricsIn(said)
  return first && textIn(first, 'href')
}

/** One event for each page that the metrics are of; nearly always there is one. */
export function vitalsOf(said: Properties): IncomingEvent[] {
  const pages = Map.groupBy(metricsIn(said), (metric) => textIn(metric, 'href') ?? '')
  return [...pages.values()].map((metrics) => vitalsOfPage(said, metrics))
}

/** There are six; nobody has hundreds to tell. */
const mostMetrics = 100

const metricsIn = (said: Properties): Properties[] =>
  (Array.isArray(said['metrics']) ? said['metrics'] : []).slice(0, mostMetrics).filter(isProperties)

function vitalsOfPage(said: Properties, metrics: readonly Properties[]): IncomingEvent {
  const [first = {}] = metrics
  return anEvent({
    name: '$web_vitals',
    properties: {
      ...Object.fromEntries(metrics.flatMap(valueOf)),
      ...known({
        $current_url: textIn(first, 'href'),
        route: textIn(first, 'route'),
        connection: textIn(said, 'speed'),
        $lib: textIn(said, 'sdkName'),
        $lib_version: textIn(said, 'sdkVersion'),
      }),
    },
  })
}

function valueOf(metric: Properties): [string, Json][] {
  const type = textIn(metric, 'type')?.toUpperCase()
  const value = numberIn(metric, 'value')
  if (type === undefined || value === undefined || !isMetric(type)) return []
  return [[vitalName(type), tidyVital(type, value)]]
}
