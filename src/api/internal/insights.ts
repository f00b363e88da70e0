import { z } from 'zod'
import { shownAs } from '#collection/entry-shape'
import { insightVersion } from '#insights/saved/insight-schema'
import { insightCollection, insightSearch } from '#insights/saved/saved-insights'
import type { Product } from '#server/product'
import { changeEndpoint, createEndpoint, findEndpoint, verbEndpoint } from './collection-endpoints'
import { type Endpoint, mapOutcome } from './endpoint'
import { answerOptions, answerShape, answerBody } from './query'

const insightVersions = shownAs('InsightVersion', insightVersion)

const savedInsights = ({ insights }: Product) => insights.saved

export const insightEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/insights',
    summary: insightCollection.api.summaries.list,
    right: 'events:read',
    query: insightSearch,
    responseSchema: z.object({ insights: z.array(insightCollection.api.shape) }),
    handle: async ({ product, viewer, query, project }) =>
      mapOutcome(
        await product.insights.saved.list(project().id, Object.fromEntries(query), viewer),
        ({ insights }) => ({ insights: insights.map((one) => insightCollection.api.show(one)) }),
      ),
  },
  createEndpoint(insightCollection, savedInsights),
  findEndpoint(insightCollection, savedInsights),
  changeEndpoint(insightCollection, savedInsights),
  verbEndpoint(
    insightCollection,
    'archive',
    {
      summary: 'Archive a saved insight; with ?anyway even if a dashboard or alert uses it',
      query: z.object({ anyway: z.string().optional() }),
    },
    (product, { projectId, id, viewer, query }) =>
      product.insights.saved.archive(projectId, id, { anyway: query.has('anyway') }, viewer),
  ),
  verbEndpoint(
    insightCollection,
    'restore',
    { summary: 'Restore an archived insight' },
    (product, { projectId, id, viewer }) => product.insights.saved.restore(projectId, id, viewer),
  ),
  verbEndpoint(
    insightCollection,
    'duplicate',
    { summary: 'Duplicate a saved insight', status: 201 },
    (product, { projectId, id, viewer }) => product.insights.saved.duplicate(projectId, id, viewer),
  ),
  {
    method: 'GET',
    path: '/projects/{project}/insights/{insight}/versions',
    summary: 'List the versions of a saved insight, newest first',
    right: 'events:read',
    responseSchema: z.object({ versions: z.array(insightVersions.shape) }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.insights.saved.versions(project().id, pathParameter('insight'), viewer),
        ({ versions }) => ({ versions: versions.map((version) => insightVersions.show(version)) }),
      ),
  },
  verbEndpoint(
    insightCollection,
    'versions/{version}/restore',
    { summary: 'Restore an earlier version of a saved insight' },
    (product, { projectId, id, viewer, pathParameter }) =>
      product.insights.saved.restoreVersion(projectId, id, Number(pathParameter('version')), viewer),
  ),
  {
    method: 'POST',
    path: '/projects/{project}/insights/{insight}/ask',
    summary: 'Answer a saved insight',
    right: 'events:read',
    query: answerOptions,
    responseSchema: answerShape,
    handle: async ({ product, viewer, query, project, pathParameter }) =>
      mapOutcome(
        await product.insights.saved.ask(project().id, pathParameter('insight'), viewer, {
          explain: query.has('explain'),
          isFresh: query.has('fresh'),
          showsMargin: !query.has('exact'),
        }),
        answerBody,
      ),
  },
]
