import { z } from 'zod'
import { shownAs } from '#collection/entry-shape'
import { dashboardVersion, editableDashboard } from '#dashboards/dashboard'
import { dashboardCollection } from '#dashboards/dashboard-collection'
import { isTemplateName, templates } from '#dashboards/templates'
import type { Product } from '#server/product'
import {
  changeEndpoint,
  createEndpoint,
  findEndpoint,
  listEndpoint,
  verbEndpoint,
} from './collection-endpoints'
import { type Endpoint, nothing, mapOutcome } from './endpoint'

const dashboardVersions = shownAs('DashboardVersion', dashboardVersion)

const dashboardPath = '/projects/{project}/dashboards/{dashboard}'

const fromTemplate = editableDashboard
  .partial({ cards: true })
  .extend({ template: z.enum(Object.keys(templates).filter(isTemplateName)).optional() })

/** A template gives its cards where none are given. */
function withTemplate(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('template' in input)) return input
  const { template, ...rest } = input
  return isTemplateName(template) ? { cards: templates[template].cards, ...rest } : input
}

const dashboards = ({ dashboards: part }: Product) => part
const create = createEndpoint(dashboardCollection, dashboards)

export const dashboardEndpoints: readonly Endpoint[] = [
  listEndpoint(dashboardCollection, dashboards),
  {
    ...create,
    input: fromTemplate,
    handle: (call) => create.handle({ ...call, input: withTemplate(call.input) }),
  },
  findEndpoint(dashboardCollection, dashboards),
  changeEndpoint(dashboardCollection, dashboards),
  verbEndpoint(
    dashboardCollection,
    'duplicate',
    { summary: 'Duplicate a dashboard', status: 201 },
    (product, { projectId, id, viewer }) => product.dashboards.duplicate(projectId, id, viewer),
  ),
  verbEndpoint(
    dashboardCollection,
    'archive',
    { summary: 'Archive a dashboard' },
    (product, { projectId, id, viewer }) => product.dashboards.archive(projectId, id, viewer),
  ),
  verbEndpoint(
    dashboardCollection,
    'restore',
    { summary: 'Restore an archived dashboard' },
    (product, { projectId, id, viewer }) => product.dashboards.restore(projectId, id, viewer),
  ),
  {
    method: 'POST',
    path: `${dashboardPath}/home`,
    summary: 'Set a dashboard as Home',
    right: 'insights:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.dashboards.chooseHome(project().id, pathParameter('dashboard'), viewer),
        () => ({}),
      ),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/home',
    summary: 'Remove the dashboard from Home',
    right: 'insights:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project }) =>
      mapOutcome(await product.dashboards.chooseHome(project().id, undefined, viewer), () => ({})),
  },
  {
    method: 'GET',
    path: `${dashboardPath}/versions`,
    summary: 'List the versions of a dashboard, newest first',
    right: 'events:read',
    responseSchema: z.object({ versions: z.array(dashboardVersions.shape) }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.dashboards.versions(project().id, pathParameter('dashboard'), viewer),
        ({ versions }) => ({
          versions: versions.map((version) => dashboardVersions.show(version)),
        }),
      ),
  },
  verbEndpoint(
    dashboardCollection,
    'versions/{version}/restore',
    { summary: 'Restore an earlier version of a dashboard' },
    (product, { projectId, id, viewer, pathParameter }) =>
      product.dashboards.restoreVersion(projectId, id, Number(pathParameter('version')), viewer),
  ),
]
