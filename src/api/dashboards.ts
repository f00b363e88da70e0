import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { type Dashboard, dashboardChange, newDashboard } from '#dashboards/dashboard'
import { isTemplateName, templates } from '#dashboards/templates'
import { failedOutcome } from '#projects/problems'
import { success, type Endpoint, nothing, mapOutcome } from './endpoint'

const place = z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() })

const cardShape = z.object({
  id: z.string(),
  place,
  content: z.looseObject({ type: z.enum(['insight', 'question', 'text']) }),
})

const dashboardShape = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    cards: z.array(cardShape),
    look: z.looseObject({}).meta({ description: 'What it says in the place of its cards’ own questions' }),
    version: z.number(),
    isHome: z.boolean().optional(),
    createdBy: z.string(),
    createdAt: instant,
    changedBy: z.string(),
    changedAt: instant,
    archivedAt: instant.optional(),
  })
  .meta({ id: 'Dashboard' })

const versionShape = z
  .object({
    version: z.number(),
    cards: z.array(cardShape),
    changedBy: z.string(),
    changedAt: instant,
  })
  .meta({ id: 'DashboardVersion' })

const dashboardBody = ({ projectId: _, ...dashboard }: Dashboard) => dashboard
const dashboardOutcome = ({ dashboard }: { dashboard: Dashboard }) => dashboardBody(dashboard)

const dashboardPath = '/projects/{project}/dashboards/{dashboard}'

const fromTemplate = newDashboard
  .partial({ cards: true })
  .extend({ template: z.enum(Object.keys(templates).filter(isTemplateName)).optional() })

/** A template gives its cards where none are given. */
function withTemplate(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !('template' in input)) return input
  const { template, ...rest } = input
  return isTemplateName(template) ? { cards: templates[template].cards, ...rest } : input
}

export const dashboardEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/dashboards',
    summary: 'List dashboards by name, archived ones among them',
    right: 'events:read',
    responseSchema: z.object({ dashboards: z.array(dashboardShape) }),
    handle: async ({ product, viewer, project }) =>
      success({ dashboards: (await product.dashboards.list(project().id, viewer)).map(dashboardBody) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/dashboards',
    summary: 'Make a dashboard, of given cards or from a template',
    right: 'insights:write',
    input: fromTemplate,
    responseSchema: dashboardShape,
    status: 201,
    handle: async ({ product, viewer, input, project }) =>
      mapOutcome(
        await product.dashboards.create(project().id, withTemplate(input), viewer),
        dashboardOutcome,
      ),
  },
  {
    method: 'GET',
    path: dashboardPath,
    summary: 'Read a dashboard',
    right: 'events:read',
    responseSchema: dashboardShape,
    handle: async ({ product, viewer, project, pathParameter }) => {
      const dashboard = await product.dashboards.find(project().id, pathParameter('dashboard'), viewer)
      return dashboard
        ? success(dashboardBody(dashboard))
        : failedOutcome('There is no such dashboard in this project.')
    },
  },
  {
    method: 'PATCH',
    path: dashboardPath,
    summary: 'Change a dashboard; cards are given all at once',
    right: 'insights:write',
    input: dashboardChange,
    responseSchema: dashboardShape,
    handle: async ({ product, viewer, input, project, pathParameter }) =>
      mapOutcome(
        await product.dashboards.change(project().id, pathParameter('dashboard'), input, viewer),
        dashboardOutcome,
      ),
  },
  {
    method: 'POST',
    path: `${dashboardPath}/duplicate`,
    summary: 'Make the same dashboard once more',
    right: 'insights:write',
    responseSchema: dashboardShape,
    status: 201,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.dashboards.duplicate(project().id, pathParameter('dashboard'), viewer),
        dashboardOutcome,
      ),
  },
  {
    method: 'POST',
    path: `${dashboardPath}/archive`,
    summary: 'Archive a dashboard: out of sight, nothing deleted',
    right: 'insights:write',
    responseSchema: dashboardShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.dashboards.archive(project().id, pathParameter('dashboard'), viewer),
        dashboardOutcome,
      ),
  },
  {
    method: 'POST',
    path: `${dashboardPath}/restore`,
    summary: 'Bring an archived dashboard back',
    right: 'insights:write',
    responseSchema: dashboardShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.dashboards.restore(project().id, pathParameter('dashboard'), viewer),
        dashboardOutcome,
      ),
  },
  {
    method: 'POST',
    path: `${dashboardPath}/home`,
    summary: 'Begin the project with this dashboard',
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
    summary: 'Begin the project with its usual Home again',
    right: 'insights:write',
    responseSchema: nothing,
    handle: async ({ product, viewer, project }) =>
      mapOutcome(await product.dashboards.chooseHome(project().id, undefined, viewer), () => ({})),
  },
  {
    method: 'GET',
    path: `${dashboardPath}/versions`,
    summary: 'List what the cards of a dashboard were, the newest first',
    right: 'events:read',
    responseSchema: z.object({ versions: z.array(versionShape) }),
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.dashboards.versions(project().id, pathParameter('dashboard'), viewer),
        ({ versions }) => ({
          versions,
        }),
      ),
  },
  {
    method: 'POST',
    path: `${dashboardPath}/versions/{version}/restore`,
    summary: 'Make the cards of an earlier version the newest',
    right: 'insights:write',
    responseSchema: dashboardShape,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(
        await product.dashboards.restoreVersion(
          project().id,
          pathParameter('dashboard'),
          Number(pathParameter('version')),
          viewer,
        ),
        dashboardOutcome,
      ),
  },
]
