import { templates } from '#dashboards/templates'
import { type DemoFlag, flags } from './flags'
import { addDemoExperiments } from './experiments'
import { requireDone } from './require-done'
import { dayMs, story } from './story'
import type { Viewer } from '#projects/access'
import type { Product } from '#server/product'

/** Annotations of the charts, by day of the story. */
const notes = [
  { day: story.launch.day, text: 'Launch: everybody talks about it' },
  { day: story.campaign.from, text: `Campaign “${story.campaign.name}” begins` },
  { day: story.campaign.until, text: 'Campaign ends' },
  { day: story.release.day, text: `${story.release.name} is released` },
  { day: story.outage.from, text: 'Payments fail, for two days' },
] as const

const pageGroups = ['/boards/:id']

const goals = [
  { name: 'Sees the prices', goal: { type: 'page', path: '/pricing' } },
  { name: 'Signs up', goal: { type: 'event', event: 'signup' } },
  { name: 'Subscribes', goal: { type: 'event', event: 'subscribed' } },
  { name: 'Pays', goal: { type: 'revenue' } },
] as const

const cohorts = [
  {
    name: 'Busy people',
    about: 'Moved ten cards or more in a month.',
    definition: { did: { event: 'card moved' }, times: { at: 'least', count: 10 }, within: { days: 30 } },
  },
  {
    name: 'Signed up and never began',
    about: 'People who signed up and are not activated.',
    definition: {
      all: [{ did: { event: 'signup' } }, { not: { did: { event: 'activated' } } }],
    },
  },
] as const

const views = { event: '$pageview' }
const signup = { event: 'signup', label: 'Signed up' }

const insights = [
  {
    name: 'Visitors by channel',
    folder: 'Marketing',
    question: {
      kind: 'trend',
      period: '90d',
      series: [{ ...views, measure: { math: 'persons' } }],
      breakdowns: [{ type: 'session', key: '$channel_type' }],
      chart: 'stacked',
      limit: 6,
    },
  },
  {
    name: 'From the first page to a subscription',
    folder: 'Growth',
    question: {
      kind: 'funnel',
      period: '90d',
      steps: [
        { ...views, label: 'Came' },
        signup,
        { event: 'activated', label: 'Began' },
        { event: 'subscribed', label: 'Subscribed' },
      ],
      window: { amount: 30, unit: 'day' },
    },
  },
  {
    name: 'Who comes back after signing up',
    folder: 'Growth',
    question: {
      kind: 'retention',
      period: '12w',
      interval: 'week',
      mode: 'first-ever',
      target: { event: 'signup' },
      returning: { event: null },
    },
  },
  {
    name: 'Revenue by week',
    folder: 'Money',
    question: {
      kind: 'trend',
      period: '90d',
      interval: 'week',
      series: [
        {
          event: null,
          label: 'Revenue',
          measure: { math: 'sum', property: { type: 'event', key: '$revenue' } },
        },
      ],
      chart: 'bar',
    },
  },
  {
    name: 'What people do after the prices',
    folder: 'Marketing',
    question: { kind: 'paths', period: '30d', start: '/pricing' },
  },
  {
    name: 'New, staying, back and lost',
    folder: 'Growth',
    question: { kind: 'lifecycle', period: '12w', interval: 'week', happening: { event: 'card moved' } },
  },
] as const

/** A gradual rollout with an automatic rollback, as is usual for a flag that affects every board. */
const rollout = {
  flag: 'card-shortcuts',
  steps: [
    { percentage: 25, afterMinutes: 0 },
    { percentage: 50, afterMinutes: 2 * 24 * 60 },
    { percentage: 100, afterMinutes: 5 * 24 * 60 },
  ],
  metrics: [
    { type: 'exceptions', worse: 20 },
    { type: 'vital', vital: 'INP', worse: 20 },
    { type: 'event', event: 'card moved', worse: 10 },
  ],
} as const

/** Creates the flags; all are fully on in staging. */
async function addDemoFlags(product: Product, projectId: number, viewer: Viewer): Promise<void> {
  requireDone(await product.flags.environments.create(projectId, { name: 'staging' }, viewer))
  for (const [key, { about, percentage, ...flag }] of Object.entries<DemoFlag>(flags)) {
    const { kind, owner, tags, variants, payload } = flag
    const setting = (share: number) => ({ isOn: true, conditions: [{ percentage: share }] })
    const wanted = {
      key,
      kind,
      owner,
      tags,
      variants,
      description: about,
      payloads: payload === undefined ? {} : { true: payload },
      bucketBy: { by: 'device' },
      environments: { production: setting(percentage), staging: setting(100) },
    }
    requireDone(await product.flags.create(projectId, wanted, viewer))
  }
  requireDone(await product.flags.guards.create(projectId, rollout, viewer))
}

/** Adds what a team would have created by now, so that no page of the studio is empty. */
export async function addDemoContent(
  product: Product,
  project: { id: number; createdAt: Date },
  begin: Date,
  viewer: Viewer,
): Promise<void> {
  const { dashboards, projects } = product
  const { cohorts: people } = product.people
  const { annotations, goals: savedGoals, saved: savedInsights } = product.insights
  for (const { day, text } of notes) {
    const at = new Date(begin.getTime() + day * dayMs).toISOString()
    requireDone(await annotations.create(project.id, { at, text }, viewer))
  }
  requireDone(await projects.changeSettings(project.id, { answers: { pageGroups } }, viewer))
  for (const goal of goals) requireDone(await savedGoals.create(project.id, goal, viewer))
  for (const cohort of cohorts) requireDone(await people.create(project.id, cohort, viewer))
  for (const insight of insights) requireDone(await savedInsights.create(project.id, insight, viewer))
  const boards = []
  for (const { label, about, cards } of Object.values(templates))
    boards.push(
      requireDone(await dashboards.create(project.id, { name: label, description: about, cards }, viewer)),
    )
  await addDemoFlags(product, project.id, viewer)
  await addDemoExperiments(product, project.id, begin, viewer)
  requireDone(await dashboards.chooseHome(project.id, boards[0]?.dashboard.id, viewer))
}
