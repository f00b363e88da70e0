import { actionEndpoints } from './actions'
import { collectionEndpoints } from './collections'
import { dashboardEndpoints } from './dashboards'
import type { PosthogEndpoint } from './endpoint'
import { eventEndpoints } from './events'
import { experimentEndpoints } from './experiments'
import { flagEndpoints } from './flags'
import { insightEndpoints } from './insights'
import { personEndpoints } from './persons'
import { projectEndpoints } from './projects'
import { queryEndpoints } from './query'
import { surveyEndpoints } from './surveys'

/** The parts of PostHog's API that Tilth has; docs/posthog.md lists them for users. */
export const endpoints: readonly PosthogEndpoint[] = [
  ...projectEndpoints,
  ...flagEndpoints,
  ...eventEndpoints,
  ...personEndpoints,
  ...insightEndpoints,
  ...dashboardEndpoints,
  ...queryEndpoints,
  ...surveyEndpoints,
  ...experimentEndpoints,
  ...actionEndpoints,
  ...collectionEndpoints,
]
