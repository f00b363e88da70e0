import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { insightChange, insightSearch, newInsight, type SavedInsight } from '#insights/saved/saved-insights'
import { failedOutcome } from '#projects/problems'
import { success, type Endpoint, mapOutcome } from './endpoint'
import { answerOptions, answerShape, answerBody } from './query'

const question = z.looseObject({ kind: z.string() }).meta({ description: 'As POST …/query takes it' })

const insightShape = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    question,
    folder: z.string(),
    tags: z.array(z.string()),
    version: z.number(),
    createdBy: z.string(),
    createdAt: instant,
    changedBy: z.string(),
    changedAt: instant,
    viewedAt: instant.optional(),
    archivedAt: instant.optional(),
  })
  .meta({ id: 'Insight' })

const versionShape = z
  .object({
    version: z.number(),
    name: z.string(),
    description: z.string(),
    question,
    changedBy: z.string(),
    changedAt: instant,
  })
  .meta({ id: 'InsightVersion' })

const insightBody = ({ projectId: _, ...insight }: SavedInsight & { isFavourite?: boolean }) => {
  const { isFavourite: __, ...rest } = insight
  return rest
}

const showInsight = ({ insight }: { insight: SavedInsight }) => insightBody(insight)

export const insightEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/insights',
    summary: 'List saved insights, those changed last first',
    right: 'events:read',
    query: insightSearch,
    responseSchema: z.object({ insights: z.array(insightShape) }),
    handle: async ({ product, viewer, query, project }) =>
      mapOutcome(
        await product.savedInsights.list(project().id, Object.fromEntries(query), viewer),
        ({ insights }) => ({ insights: insights.map(insightBody) }),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/insights',
    summary: 'Save a question under a name',
    right: 'insights:write',
    input: newInsight,
    responseSchema: insightShape,
    status: 201,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(await product.savedInsights.create(project().id, input, viewer), showInsight),
  },
  {
    method: 'GET',
    path: '/projects/{project}/insights/{insight}',
    summary: 'Read a saved insight',
    right: 'events:read',
    responseSchema: insightShape,
    handle: async ({ product, viewer, project, pathParameter }) => {
      const insight = await product.savedInsights.find(project().id, pathParameter('insight'), viewer)
      return insight
        ? success(insightBody(insight))
        : failedOutcome('There is no such insight in this project.')
    },
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/insights/{insight}',
    summary: 'Change what a saved insight says, asks, or where it lies',
    right: 'insights:write',
    input: insightChange,
    responseSchema: insightShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.savedInsights.change(project().id, pathParameter('insight'), input, viewer),
        showInsight,
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/insights/{insight}/archive',
    summary:
      'Archive a saved insight: out of sight, nothing deleted; with ?anyway also if something shows it',
    right: 'insights:write',
    query: z.object({ anyway: z.string().optional() }),
    responseSchema: insightShape,
    handle: async ({ product, viewer, project, pathParameter, query }) =>
      mapOutcome(
        await product.savedInsights.archive(
          project().id,
          pathParameter('insight'),
          { anyway: query.has('anyway') },
          viewer,
        ),
        showInsight,
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/insights/{insight}/restore',
    summary: 'Bring an archived insight back',
    right: 'insights:write',
    responseSchema: insightShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.savedInsights.restore(project().id, pathParameter('insight'), viewer),
        showInsight,
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/insights/{insight}/duplicate',
    summary: 'Save the same question once more',
    right: 'insights:write',
    responseSchema: insightShape,
    status: 201,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.savedInsights.duplicate(project().id, pathParameter('insight'), viewer),
        showInsight,
      ),
  },
  {
    method: 'GET',
    path: '/projects/{project}/insights/{insight}/versions',
    summary: 'List everything a saved insight ever said, the newest first',
    right: 'events:read',
    responseSchema: z.object({ versions: z.array(versionShape) }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.savedInsights.versions(project().id, pathParameter('insight'), viewer),
        ({ versions }) => ({ versions }),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/insights/{insight}/versions/{version}/restore',
    summary: 'Make an earlier version the newest',
    right: 'insights:write',
    responseSchema: insightShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.savedInsights.restoreVersion(
          project().id,
          pathParameter('insight'),
          Number(pathParameter('version')),
          viewer,
        ),
        showInsight,
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/insights/{insight}/ask',
    summary: 'Answer a saved insight',
    right: 'events:read',
    query: answerOptions,
    responseSchema: answerShape,
    handle: async ({ product, viewer, query, project, pathParameter }) =>
      mapOutcome(
        await product.savedInsights.ask(project().id, pathParameter('insight'), viewer, {
          explain: query.has('explain'),
          isFresh: query.has('fresh'),
        }),
        answerBody,
      ),
  },
]
