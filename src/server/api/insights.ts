import { z } from 'zod'
import { insightChange, insightSearch, newInsight, type SavedInsight } from '../../insights/saved-insights'
import { undone } from '../../projects/problems'
import { done, type Endpoint, instant, shownAs } from './endpoint'
import { answerOptions, answerShape, shownAnswer } from './query'

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

const shown = ({ projectId: _, ...insight }: SavedInsight & { isFavourite?: boolean }) => {
  const { isFavourite: __, ...rest } = insight
  return rest
}

const showInsight = ({ insight }: { insight: SavedInsight }) => shown(insight)

export const insightEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/insights',
    summary: 'List saved insights, those changed last first',
    right: 'events:read',
    query: insightSearch,
    answers: z.object({ insights: z.array(insightShape) }),
    answer: async ({ product, viewer, query, project }) =>
      shownAs(
        await product.savedInsights.list(project().id, Object.fromEntries(query), viewer),
        ({ insights }) => ({ insights: insights.map(shown) }),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/insights',
    summary: 'Save a question under a name',
    right: 'insights:write',
    input: newInsight,
    answers: insightShape,
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.savedInsights.create(project().id, input, viewer), showInsight),
  },
  {
    method: 'GET',
    path: '/projects/{project}/insights/{insight}',
    summary: 'Read a saved insight',
    right: 'events:read',
    answers: insightShape,
    answer: async ({ product, viewer, project, part }) => {
      const insight = await product.savedInsights.find(project().id, part('insight'), viewer)
      return insight ? done(shown(insight)) : undone('There is no such insight in this project.')
    },
  },
  {
    method: 'PATCH',
    path: '/projects/{project}/insights/{insight}',
    summary: 'Change what a saved insight says, asks, or where it lies',
    right: 'insights:write',
    input: insightChange,
    answers: insightShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(await product.savedInsights.change(project().id, part('insight'), input, viewer), showInsight),
  },
  {
    method: 'POST',
    path: '/projects/{project}/insights/{insight}/archive',
    summary:
      'Archive a saved insight: out of sight, nothing deleted; with ?anyway also if something shows it',
    right: 'insights:write',
    query: z.object({ anyway: z.string().optional() }),
    answers: insightShape,
    answer: async ({ product, viewer, project, part, query }) =>
      shownAs(
        await product.savedInsights.archive(
          project().id,
          part('insight'),
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
    answers: insightShape,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.savedInsights.restore(project().id, part('insight'), viewer), showInsight),
  },
  {
    method: 'POST',
    path: '/projects/{project}/insights/{insight}/duplicate',
    summary: 'Save the same question once more',
    right: 'insights:write',
    answers: insightShape,
    status: 201,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.savedInsights.duplicate(project().id, part('insight'), viewer), showInsight),
  },
  {
    method: 'GET',
    path: '/projects/{project}/insights/{insight}/versions',
    summary: 'List everything a saved insight ever said, the newest first',
    right: 'events:read',
    answers: z.object({ versions: z.array(versionShape) }),
    answer: async ({ product, viewer, project, part }) =>
      shownAs(
        await product.savedInsights.versions(project().id, part('insight'), viewer),
        ({ versions }) => ({ versions }),
      ),
  },
  {
    method: 'POST',
    path: '/projects/{project}/insights/{insight}/versions/{version}/restore',
    summary: 'Make an earlier version the newest',
    right: 'insights:write',
    answers: insightShape,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(
        await product.savedInsights.restoreVersion(
          project().id,
          part('insight'),
          Number(part('version')),
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
    answers: answerShape,
    answer: async ({ product, viewer, query, project, part }) =>
      shownAs(
        await product.savedInsights.ask(project().id, part('insight'), viewer, {
          explain: query.has('explain'),
          isFresh: query.has('fresh'),
        }),
        shownAnswer,
      ),
  },
]
