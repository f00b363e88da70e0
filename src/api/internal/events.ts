import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { latestQuery } from '#insights/compile/latest'
import { type Endpoint, mapOutcome } from './endpoint'

const eventShape = z
  .object({
    uuid: z.string(),
    event: z.string(),
    timestamp: instant,
    distinct_id: z.string(),
    person_id: z.string(),
    session_id: z.string(),
    properties: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Event' })

export const eventEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/events',
    summary: 'List the latest events, newest first, each with its person as of now',
    right: 'events:read',
    query: latestQuery,
    responseSchema: z.object({ events: z.array(eventShape) }),
    handle: async ({ product, viewer, query, project }) =>
      mapOutcome(
        await product.insights.latest.list(project().id, Object.fromEntries(query), viewer),
        ({ events }) => ({
          events,
        }),
      ),
  },
]
