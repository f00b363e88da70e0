import type { UmamiEndpoint } from './endpoint'
import { eventEndpoints } from './events'
import { figureEndpoints } from './figures'
import { metricEndpoints } from './metrics'
import { realtimeEndpoints } from './realtime'
import { reportEndpoints } from './reports'
import { revenueEndpoints } from './revenue'
import { sessionEndpoints } from './sessions'
import { websiteEndpoints } from './websites'

/** The parts of Umami's API that Tilth has; docs/sdk-umami.md lists them for users. */
export const endpoints: readonly UmamiEndpoint[] = [
  ...websiteEndpoints,
  ...figureEndpoints,
  ...metricEndpoints,
  ...eventEndpoints,
  ...sessionEndpoints,
  ...reportEndpoints,
  ...revenueEndpoints,
  ...realtimeEndpoints,
]
