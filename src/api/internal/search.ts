import { z } from 'zod'
import { searchKinds } from '#search/result'
import { searchInput } from '#search/search'
import { mapOutcome, type Endpoint } from './endpoint'

const kind = z.enum(Object.keys(searchKinds))

const resultShape = z
  .object({
    kind,
    id: z.string().meta({ description: 'The key of a flag; the name of an event or a property' }),
    name: z.string(),
    detail: z.string().optional(),
    property: z
      .object({ type: z.enum(['event', 'person', 'group', 'session']), group: z.string().optional() })
      .optional(),
  })
  .meta({ id: 'SearchResult' })

export const searchEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/search',
    summary: 'Find things by name: only kinds that the key may read',
    right: 'project:read',
    query: searchInput,
    responseSchema: z.object({
      results: z.array(resultShape),
      unavailable: z
        .array(kind)
        .meta({ description: 'Kinds that could not be searched, because the engine did not answer' }),
    }),
    handle: async ({ product, viewer, query, project }) =>
      mapOutcome(
        await product.search.find(project().id, Object.fromEntries(query), viewer),
        ({ results, unavailable }) => ({ results, unavailable }),
      ),
  },
]
