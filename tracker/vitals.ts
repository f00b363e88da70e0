/** A metric of how fast a page was, as browsers' makers name them. */
type Metric = 'TTFB' | 'FCP' | 'LCP' | 'CLS' | 'INP'

/** The fields that an entry of any of the types below may have. */
interface Entry extends PerformanceEntry {
  value: number
  hadRecentInput: boolean
  interactionId: number
}

/** Calls `found` with each metric's newest value, again whenever it changes. Reports what the browser can measure. */
export function watchVitals(found: (metric: Metric, value: number) => unknown): void {
  const observe = (type: string, each: (entry: Entry) => unknown): void =>
    new PerformanceObserver((list) =>
      // the browser promises entries of the type that was asked for
      (list.getEntries() as Entry[]).forEach(each),
    ).observe(
      // events are told of from the shortest on; the compiler's browsers do not know of that yet
      { type, durationThreshold: 16, buffered: true } as PerformanceObserverInit,
    )

  found('TTFB', pageLoad().responseStart)
  observe('paint', ({ name, startTime }) => name[6] === 'c' && found('FCP', startTime))
  observe('largest-contentful-paint', ({ startTime }) => found('LCP', startTime))
  watchShifts(observe, found)

  const longest: Record<number, number> = {}
  observe('event', ({ interactionId, duration }) => {
    if (!interactionId) return
    longest[interactionId] = Math.max(longest[interactionId] || 0, duration)
    // one slow interaction in fifty is forgiven
    const durations = Object.values(longest).sort((one, other) => other - one)
    found('INP', durations[(durations.length / 50) | 0] ?? duration)
  })
}

/** Shifts less than a second apart, five seconds at most, count together; the worst such time is what is felt. */
function watchShifts(
  observe: (type: string, each: (entry: Entry) => unknown) => void,
  found: (metric: Metric, value: number) => unknown,
): void {
  const type = 'layout-shift'
  let sum = 0
  let worst = 0
  let first = 0
  let last = 0
  // a page on which nothing moves has a shift of zero, not an unknown one
  if (PerformanceObserver.supportedEntryTypes.includes(type)) found('CLS', 0)
  observe(type, ({ startTime, value, hadRecentInput }) => {
    if (hadRecentInput) return
    if (startTime - last > 1e3 || startTime - first > 5e3) {
      sum = 0
      first = startTime
    }
    last = startTime
    sum += value
    if (sum > worst) found('CLS', (worst = sum))
  })
}

/** The timing of the page load: entries of this type are of this kind, and there is one as long as there is a page. */
export const pageLoad = (): PerformanceNavigationTiming & { responseStatus?: number } =>
  performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming
