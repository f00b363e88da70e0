/** Upper bounds of response times in seconds. */
const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

interface RouteCounts {
  byStatus: Map<number, number>
  /** The number of responses up to each bound; the last one counts all slower ones. */
  byBound: number[]
  seconds: number
}

/**
 * Counts requests by route, status and duration. The numbers are formatted when Prometheus scrapes them: its own client
 * looks up labels for every request.
 */
export class RequestCounts {
  private readonly routes = new Map<string, RouteCounts>()

  count(name: string, status: number, seconds: number): void {
    const route = this.route(name)
    route.byStatus.set(status, (route.byStatus.get(status) ?? 0) + 1)
    const isWithin = durationBounds.findIndex((bound) => seconds <= bound)
    const place = isWithin < 0 ? durationBounds.length : isWithin
    route.byBound[place] = (route.byBound[place] ?? 0) + 1
    route.seconds += seconds
  }

  text(): string {
    const routes = [...this.routes]
    return [
      '# HELP tilth_requests_total Requests answered, by who answers them and with which status.',
      '# TYPE tilth_requests_total counter',
      ...routes.flatMap(([name, { byStatus }]) => requestsOf(name, byStatus)),
      '# HELP tilth_request_seconds From the end of the headers to the last byte of the answer.',
      '# TYPE tilth_request_seconds histogram',
      ...routes.flatMap(([name, route]) => secondsOf(name, route)),
      '',
    ].join('\n')
  }

  private route(name: string): RouteCounts {
    const known = this.routes.get(name)
    if (known) return known
    const route = {
      byStatus: new Map(),
      byBound: Array.from({ length: durationBounds.length + 1 }, () => 0),
      seconds: 0,
    }
    this.routes.set(name, route)
    return route
  }
}

const requestsOf = (name: string, byStatus: ReadonlyMap<number, number>): string[] =>
  [...byStatus].map(
    ([status, amount]) => `tilth_requests_total{route="${name}",status="${status}"} ${amount}`,
  )

/** Prometheus buckets are cumulative. */
function secondsOf(name: string, { byBound, seconds }: RouteCounts): string[] {
  let amount = 0
  const buckets = [...durationBounds.map(String), '+Inf'].map((bound, i) => {
    amount += byBound[i] ?? 0
    return `tilth_request_seconds_bucket{le="${bound}",route="${name}"} ${amount}`
  })
  return [
    ...buckets,
    `tilth_request_seconds_sum{route="${name}"} ${seconds}`,
    `tilth_request_seconds_count{route="${name}"} ${amount}`,
  ]
}
