import { z } from 'zod'
import { type Dashboard, dashboardChange, newDashboard } from '../../dashboards/dashboard'
import { isTemplateName, templates } from '../../dashboards/templates'
import { undone } from '../../projects/problems'
import { done, type Endpoint, instant, nothing, shownAs } from './endpoint'

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

const shown = ({ projectId: _, ...dashboard }: Dashboard) => dashboard
const showDashboard = ({ dashboard }: { dashboard: Dashboard }) => shown(dashboard)

const one = '/projects/{project}/dashboards/{dashboard}'

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
    answers: z.object({ dashboards: z.array(dashboardShape) }),
    answer: async ({ product, viewer, project }) =>
      done({ dashboards: (await product.dashboards.list(project().id, viewer)).map(shown) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/dashboards',
    summary: 'Make a dashboard, of given cards or from a template',
    right: 'insights:write',
    input: fromTemplate,
    answers: dashboardShape,
    status: 201,
    answer: async ({ product, viewer, input, project }) =>
      shownAs(await product.dashboards.create(project().id, withTemplate(input), viewer), showDashboard),
  },
  {
    method: 'GET',
    path: one,
    summary: 'Read a dashboard',
    right: 'events:read',
    answers: dashboardShape,
    answer: async ({ product, viewer, project, part }) => {
      const dashboard = await product.dashboards.find(project().id, part('dashboard'), viewer)
      return dashboard ? done(shown(dashboard)) : undone('There is no such dashboard in this project.')
    },
  },
  {
    method: 'PATCH',
    path: one,
    summary: 'Change a dashboard; cards are given all at once',
    right: 'insights:write',
    input: dashboardChange,
    answers: dashboardShape,
    answer: async ({ product, viewer, input, project, part }) =>
      shownAs(await product.dashboards.change(project().id, part('dashboard'), input, viewer), showDashboard),
  },
  {
    method: 'POST',
    path: `${one}/duplicate`,
    summary: 'Make the same dashboard once more',
    right: 'insights:write',
    answers: dashboardShape,
    status: 201,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.dashboards.duplicate(project().id, part('dashboard'), viewer), showDashboard),
  },
  {
    method: 'POST',
    path: `${one}/archive`,
    summary: 'Archive a dashboard: out of sight, nothing deleted',
    right: 'insights:write',
    answers: dashboardShape,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.dashboards.archive(project().id, part('dashboard'), viewer), showDashboard),
  },
  {
    method: 'POST',
    path: `${one}/restore`,
    summary: 'Bring an archived dashboard back',
    right: 'insights:write',
    answers: dashboardShape,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.dashboards.restore(project().id, part('dashboard'), viewer), showDashboard),
  },
  {
    method: 'POST',
    path: `${one}/home`,
    summary: 'Begin the project with this dashboard',
    right: 'insights:write',
    answers: nothing,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.dashboards.chooseHome(project().id, part('dashboard'), viewer), () => ({})),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/home',
    summary: 'Begin the project with its usual Home again',
    right: 'insights:write',
    answers: nothing,
    answer: async ({ product, viewer, project }) =>
      shownAs(await product.dashboards.chooseHome(project().id, undefined, viewer), () => ({})),
  },
  {
    method: 'GET',
    path: `${one}/versions`,
    summary: 'List what the cards of a dashboard were, the newest first',
    right: 'events:read',
    answers: z.object({ versions: z.array(versionShape) }),
    answer: async ({ product, viewer, project, part }) =>
      shownAs(await product.dashboards.versions(project().id, part('dashboard'), viewer), ({ versions }) => ({
        versions,
      })),
  },
  {
    method: 'POST',
    path: `${one}/versions/{version}/restore`,
    summary: 'Make the cards of an earlier version the newest',
    right: 'insights:write',
    answers: dashboardShape,
    answer: async ({ product, viewer, project, part }) =>
      shownAs(
        await product.dashboards.restoreVersion(
          project().id,
          part('dashboard'),
          Number(part('version')),
          viewer,
        ),
        showDashboard,
      ),
  },
]
