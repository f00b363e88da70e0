import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { partOf } from '#collection/change-of'
import { declareCollection } from '#collection/collection'
import type { CollectionDependencies, WriteContext } from '#collection/declaration'
import { shownAs } from '#collection/entry-shape'
import { refuseOutdated } from '#collection/versions'
import type { Experiments } from '#experiments/experiments'
import type { ExperimentResults } from '#experiments/results/experiment-results'
import type { Insights } from '#insights/ask'
import type { SavedInsights } from '#insights/saved/saved-insights'
import { type FailedOutcome, failedOutcome, type Outcome } from '#projects/problems'
import { newId } from '#projects/secrets'
import {
  type CardContent,
  type CardInput,
  type Dashboard,
  dashboardChange,
  dashboardSchema,
  editableDashboard,
  mostCards,
  type SavedCard,
} from './dashboard'
import { type CardSize, cardSizeOf, chartSizeOf } from './internal/card-size'
import { placementAtEnd, tidyCards } from './grid'
import { addVersion, dashboardTable, forgetVersions } from './internal/store'

interface DashboardsDependencies extends CollectionDependencies {
  insights: Pick<Insights, 'answersOf' | 'ask' | 'read'>
  savedInsights: Pick<SavedInsights, 'find'>
  experiments: Pick<Experiments, 'find'> & { results: Pick<ExperimentResults, 'result'> }
}

type CardContext = WriteContext<DashboardsDependencies>

/** Dashboards by name, archived ones among them. A change of the cards makes a version. */
export const dashboardCollection = declareCollection({
  name: 'dashboard',
  rights: { read: 'events:read', write: 'insights:write' },
  newEntry: editableDashboard,
  change: dashboardChange,
  table: { list: dashboardTable.list, find: dashboardTable.find, save: dashboardTable.save },
  idOf: ({ id }) => id,
  audit: {
    subject: ({ name }) => name,
    fields: (dashboard) => ({ ...partOf(editableDashboard, dashboard), archivedAt: dashboard.archivedAt }),
  },
  prepareNew: ({ cards }, context: CardContext) => completeCards(cards, context),
  prepareChange: ({ cards: known }, { cards = known }, context) => completeCards(cards, context, known),
  applyNew: (input, { created, prepared: cards }) => ({
    ...created,
    ...input,
    cards,
    version: 1,
    changedBy: created.createdBy,
    changedAt: created.createdAt,
    archivedAt: undefined,
  }),
  applyChange: async (before, { version: basis, ...change }, viewer, { prepared: cards, now }) =>
    (await refuseOutdated({
      name: before.name,
      field: 'version',
      basis,
      current: before.version,
      latest: () => ({ by: before.changedBy, at: before.changedAt }),
    })) ?? withNextVersion(before, { ...before, ...change, cards }, viewer.name, now),
  afterSave: async (transaction, dashboard, { before }) => {
    if (dashboard.version === before?.version) return
    await addVersion(transaction, dashboard)
    await forgetVersions(transaction, dashboard)
  },
  api: {
    summaries: {
      list: 'List dashboards by name, including archived ones',
      create: 'Create a dashboard, from cards or from a template',
      find: 'Read a dashboard',
      change: 'Change a dashboard; cards are given all at once',
    },
    ...shownAs(
      'Dashboard',
      dashboardSchema.omit({ projectId: true }).extend({ isHome: z.boolean().optional() }),
    ),
  },
})

/** Counts the version up where the cards differ. */
export function withNextVersion(
  before: Dashboard,
  dashboard: Dashboard,
  changedBy: string,
  changedAt: Date,
): Dashboard {
  const isSame = isDeepStrictEqual(asStored(before.cards), asStored(dashboard.cards))
  return { ...dashboard, version: isSame ? before.version : before.version + 1, changedBy, changedAt }
}

/** Gives each card an id and a place and parses its query. Unchanged cards are not parsed again. */
async function completeCards(
  given: readonly CardInput[],
  context: CardContext,
  known: readonly SavedCard[] = [],
): Promise<SavedCard[] | FailedOutcome> {
  if (given.length > mostCards) return failedOutcome(`A dashboard has at most ${mostCards} cards.`, 'cards')
  const { world } = context.dependencies
  const cards: SavedCard[] = []
  for (const [i, { id = newId(world), place, content }] of given.entries()) {
    const isKnown = known.some((card) => isDeepStrictEqual(card.content, content))
    const read = isKnown
      ? { done: true as const, content, size: cardSizeOf(content) }
      : await readContent(content, context)
    if (!read.done) return underField(`cards.${i}.content`, read.problems)
    cards.push({ id, place: place ?? placementAtEnd(cards, read.size), content: read.content })
  }
  return tidyCards(cards)
}

async function readContent(
  content: CardContent,
  context: CardContext,
): Promise<Outcome<{ content: CardContent; size: CardSize }>> {
  const { projectId, viewer, dependencies } = context
  if (content.type === 'text') return { done: true, content, size: cardSizeOf(content) }
  if (content.type === 'experiment') return await readExperiment(content, context)
  if (content.type === 'insight') {
    const insight = await dependencies.savedInsights.find(projectId, content.insight, viewer)
    return insight
      ? { done: true, content, size: chartSizeOf(insight.question) }
      : failedOutcome('There is no such insight in this project.', 'insight')
  }
  const read = dependencies.insights.read(content.question)
  if (!read.done) return underField('question', read.problems)
  const complete = { ...content, question: { ...content.question, ...read.question } }
  return { done: true, content: complete, size: cardSizeOf(complete) }
}

async function readExperiment(
  content: Extract<CardContent, { type: 'experiment' }>,
  { projectId, viewer, dependencies }: CardContext,
): Promise<Outcome<{ content: CardContent; size: CardSize }>> {
  const { experiment: id, metric } = content
  const experiment = await dependencies.experiments.find(projectId, id, viewer)
  if (!experiment) return failedOutcome('There is no such experiment in this project.', 'experiment')
  if (metric !== undefined && !experiment.metrics.some((one) => one.id === metric))
    return failedOutcome(`The experiment has no metric "${metric}".`, 'metric')
  return { done: true, content, size: cardSizeOf(content) }
}

/** Returns the cards as stored: without undefined fields. */
const asStored = (cards: readonly SavedCard[]): unknown => JSON.parse(JSON.stringify(cards))

const underField = (field: string, problems: readonly { field?: string; message: string }[]) => ({
  done: false as const,
  problems: problems.map((problem) => ({
    field: problem.field ? `${field}.${problem.field}` : field,
    message: problem.message,
  })),
})
