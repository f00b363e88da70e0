import { collectionEndpoints } from './collections'
import type { PosthogEndpoint } from './endpoint'
import { eventEndpoints } from './events'
import { flagEndpoints } from './flags'
import { insightEndpoints } from './insights'
import { personEndpoints } from './persons'
import { projectEndpoints } from './projects'
import { queryEndpoints } from './query'

/** The parts of PostHog's API that Tilth has; docs/posthog.md lists them for users. */
export const endpoints: readonly PosthogEndpoint[] = [
  ...projectEndpoints,
  ...flagEndpoints,
  ...eventEndpoints,
  ...personEndpoints,
  ...insightEndpoints,
  ...queryEndpoints,
  ...collectionEndpoints,
]
