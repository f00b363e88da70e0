import type { Experiment } from '#experiments/experiment'
import type { ExperimentResult } from '#experiments/results/experiment-results'
import type { SavedInsights } from '#insights/saved/saved-insights'
import { writerClass } from '#collection/collection'
import { earlierVersion } from '#collection/versions'
import type { AnsweredQuery } from '#insights/answered-query'
import type { AskOptions } from '#insights/ask'
import type { InsightUse } from '#insights/saved/saved-insights'
import { may, requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { type FailedOutcome, type Outcome, parseInput, failedOutcome } from '#projects/problems'
import type { StoreTransaction } from '#store/store'
import {
  arrangement,
  cardContent,
  type SavedCard,
  type CardContent,
  type Dashboard,
  type DashboardVersion,
  cardInput,
  type ViewOverrides,
} from './dashboard'
import { dashboardCollection, withNextVersion } from './dashboard-collection'
import { createSemaphore } from '#world/slots'
import { placeAfterChange } from './internal/card-size'
import { tidyCards } from './grid'
import { dashboardTable, homeOf, saveHome, versionsOf } from './internal/store'
import { type ViewQuery, viewOverridesFrom } from './view-overrides-in-url'

/** A dashboard, and whether it is the project's home. */
export type ListedDashboard = Dashboard & { isHome: boolean }

/** The query of a card with its answer. */
interface AnsweredCard {
  kind: 'question'
  title: string
  description: string
  answered: AnsweredQuery
}

/** The result of an experiment on a card, with the metric that was chosen for it. */
export interface ExperimentCardAnswer {
  kind: 'experiment'
  title: string
  experiment: Experiment
  metric: string | undefined
  result: ExperimentResult
}

export type CardAnswer = AnsweredCard | ExperimentCardAnswer

/** Answers the queries of a dashboard's cards, and reads the results of experiments, a few at a time. */
export type CardQueryRunner = (card: SavedCard, options?: AskOptions) => Promise<Outcome<CardAnswer>>

/** With more concurrent queries the last card would not be answered sooner, but the first one later. */
const queriesAtOnce = 4

type ExperimentContent = Extract<CardContent, { type: 'experiment' }>

type DashboardOutcome = Outcome<{ dashboard: Dashboard }>
type UndoableDashboardOutcome = Outcome<{ dashboard: Dashboard; before: number }>

/** Creates and changes dashboards. Archived dashboards and earlier layouts can be restored. */
export class Dashboards extends writerClass(dashboardCollection) {
  async list(projectId: number, viewer: Viewer): Promise<ListedDashboard[]> {
    requireRight('events:read', projectId, viewer)
    const { store } = this.dependencies
    const [all, home] = await Promise.all([dashboardTable.list(store, projectId), homeOf(store, projectId)])
    return all.map((dashboard) => ({ ...dashboard, isHome: dashboard.id === home }))
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<ListedDashboard | undefined> {
    requireRight('events:read', projectId, viewer)
    const { store } = this.dependencies
    const dashboard = await this.lookUp(viewer, projectId, id)
    return dashboard && { ...dashboard, isHome: (await homeOf(store, projectId)) === id }
  }

  /** Returns the project's home dashboard; undefined if none was chosen or it is archived. */
  async home(projectId: number, viewer: Viewer): Promise<ListedDashboard | undefined> {
    requireRight('events:read', projectId, viewer)
    const id = await homeOf(this.dependencies.store, projectId)
    const dashboard = id === undefined ? undefined : await this.find(projectId, id, viewer)
    return dashboard?.archivedAt ? undefined : dashboard
  }

  /** `undefined` restores the default home page. */
  async chooseHome(projectId: number, id: string | undefined, viewer: Viewer): Promise<Outcome> {
    requireRight('insights:write', projectId, viewer)
    const { store, world } = this.dependencies
    const dashboard = id === undefined ? undefined : await this.lookUp(viewer, projectId, id)
    if (id !== undefined && !dashboard) return this.missing()
    if (dashboard?.archivedAt) return failedOutcome('An archived dashboard cannot be Home. Restore it first.')
    const subject = dashboard?.name ?? 'none'
    await store.transaction(async (transaction) => {
      await saveHome(transaction, projectId, id)
      await recordAudit(transaction, { action: 'dashboard.home', subject, projectId }, viewer, world.now())
    })
    return { done: true }
  }

  override async change(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<UndoableDashboardOutcome> {
    requireRight('insights:write', projectId, viewer)
    const before = await this.lookUp(viewer, projectId, id)
    const saved = await super.change(projectId, id, input, viewer)
    return saved.done ? { ...saved, before: before?.version ?? 0 } : saved
  }

  /** Adds to the cards of a version, of the newest if none is named: a card that is added meanwhile is not lost. */
  async addCard(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
    basis?: number,
  ): Promise<UndoableDashboardOutcome> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parseInput(cardInput, input)
    if (!parsed.done) return parsed
    const before = await this.lookUp(viewer, projectId, id)
    if (!before) return this.missing()
    const { cards, version } = before
    const change = { cards: [...cards, parsed.value], version: basis ?? version }
    return await this.change(projectId, id, change, viewer)
  }

  async changeCard(
    projectId: number,
    id: string,
    cardId: string,
    content: unknown,
    viewer: Viewer,
  ): Promise<UndoableDashboardOutcome> {
    requireRight('insights:write', projectId, viewer)
    const before = await this.lookUp(viewer, projectId, id)
    if (!before?.cards.some((card) => card.id === cardId)) return failedOutcome('There is no such card.')
    const parsed = cardContent.safeParse(content)
    const changed = (card: SavedCard) =>
      parsed.success ? { ...card, content, place: placeAfterChange(card, parsed.data) } : { ...card, content }
    const cards = before.cards.map((card) => (card.id === cardId ? changed(card) : card))
    return await this.change(projectId, id, { cards }, viewer)
  }

  async removeCard(
    projectId: number,
    id: string,
    cardId: string,
    viewer: Viewer,
  ): Promise<UndoableDashboardOutcome> {
    requireRight('insights:write', projectId, viewer)
    const before = await this.lookUp(viewer, projectId, id)
    if (!before) return this.missing()
    const cards = before.cards.filter((card) => card.id !== cardId)
    return await this.change(projectId, id, { cards }, viewer)
  }

  /** Changes only the positions of the cards; concurrent changes of other fields are kept. */
  async arrange(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<UndoableDashboardOutcome> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parseInput(arrangement, input)
    if (!parsed.done) return parsed
    const { places } = parsed.value
    return await this.replaceCards(projectId, id, viewer, async ({ cards }) =>
      tidyCards(cards.map((card) => ({ ...card, place: places[card.id] ?? card.place }))),
    )
  }

  async duplicate(projectId: number, id: string, viewer: Viewer): Promise<DashboardOutcome> {
    requireRight('insights:write', projectId, viewer)
    const dashboard = await this.lookUp(viewer, projectId, id)
    if (!dashboard) return this.missing()
    const { name, description, cards, look } = dashboard
    return await this.create(
      projectId,
      { name: `${name.slice(0, 70)} (copy)`, description, cards, look },
      viewer,
    )
  }

  async archive(projectId: number, id: string, viewer: Viewer): Promise<DashboardOutcome> {
    const archivedAt = this.dependencies.world.now()
    return await this.alter('dashboard.archive', projectId, id, viewer, (before) => ({
      ...before,
      archivedAt,
    }))
  }

  async restore(projectId: number, id: string, viewer: Viewer): Promise<DashboardOutcome> {
    return await this.alter('dashboard.restore', projectId, id, viewer, (before) => ({
      ...before,
      archivedAt: undefined,
    }))
  }

  async versions(
    projectId: number,
    id: string,
    viewer: Viewer,
  ): Promise<Outcome<{ versions: DashboardVersion[] }>> {
    requireRight('events:read', projectId, viewer)
    const dashboard = await this.lookUp(viewer, projectId, id)
    if (!dashboard) return this.missing()
    return { done: true, versions: await versionsOf(this.dependencies.store, id) }
  }

  /** Saves the cards of an earlier version as the newest one, so that restoring can be undone as well. */
  async restoreVersion(
    projectId: number,
    id: string,
    version: number,
    viewer: Viewer,
  ): Promise<UndoableDashboardOutcome> {
    return await this.replaceCards(projectId, id, viewer, async (_, transaction) => {
      const earlier = earlierVersion(await versionsOf(transaction, id), version, 'dashboard')
      return earlier.done ? earlier.found.cards : earlier
    })
  }

  /** Returns the dashboards that show an insight; archiving warns about them. */
  async usesOf(projectId: number, insightId: string): Promise<InsightUse[]> {
    const all = await dashboardTable.list(this.dependencies.store, projectId)
    return all
      .filter(
        ({ archivedAt, cards }) => !archivedAt && cards.some((card) => cardShowsInsight(card, insightId)),
      )
      .map(({ name }) => ({ kind: 'dashboard', name }))
  }

  /** Returns the view that a URL asks for. */
  viewOverridesFor(dashboard: Dashboard, parameters: ViewQuery): ViewOverrides {
    return viewOverridesFrom(dashboard, parameters)
  }

  /** Returns what asks the cards' queries. The answers of one page are of one age. */
  asking(
    projectId: number,
    overrides: Partial<ViewOverrides>,
    viewer: Viewer,
    page?: string,
  ): CardQueryRunner {
    requireRight('events:read', projectId, viewer)
    const { insights } = this.dependencies
    const shownIn =
      page === undefined ? undefined : insights.answersOf(projectId, `${page} ${JSON.stringify(overrides)}`)
    const runLimited = createSemaphore(queriesAtOnce)
    return async ({ content }, options) => {
      if (content.type === 'experiment')
        return await runLimited(() => this.experimentCard(projectId, content, viewer))
      const outcome = await this.queryOf(projectId, content, viewer)
      if (!outcome.done) return outcome
      const { title, description, question } = outcome
      const answered = await runLimited(() =>
        insights.ask(projectId, withViewOverrides(question, overrides), viewer, {
          ...options,
          ...(shownIn && { shownIn }),
        }),
      )
      return answered.done ? { done: true, kind: 'question', title, description, answered } : answered
    }
  }

  /** Reads the last known result. The dashboard's date range and filters do not apply to it. */
  private async experimentCard(
    projectId: number,
    { experiment: id, metric }: ExperimentContent,
    viewer: Viewer,
  ): Promise<Outcome<ExperimentCardAnswer>> {
    if (!may('experiments:read', projectId, viewer))
      return failedOutcome('You may not see the results of experiments. Ask a project owner.')
    const { experiments } = this.dependencies
    const experiment = await experiments.find(projectId, id, viewer)
    if (!experiment) return failedOutcome('The experiment of this card was deleted. Remove the card.')
    const { name: title, archivedAt } = experiment
    if (archivedAt) return failedOutcome(`“${title}” is archived. Restore it, or remove the card.`)
    const found = await experiments.results.result(projectId, id, viewer)
    return found.done
      ? { done: true, kind: 'experiment', title, experiment, metric, result: found.result }
      : found
  }

  private async queryOf(
    projectId: number,
    content: Exclude<CardContent, ExperimentContent>,
    viewer: Viewer,
  ): Promise<Outcome<{ title: string; description: string; question: Record<string, unknown> }>> {
    if (content.type === 'text') return failedOutcome('A text card has no question.')
    if (content.type === 'question')
      return { done: true, title: content.title, description: '', question: content.question }
    const insight = await this.dependencies.savedInsights.find(projectId, content.insight, viewer)
    if (!insight) return failedOutcome('The insight of this card was deleted. Remove the card.')
    if (insight.archivedAt)
      return failedOutcome(`“${insight.name}” is archived. Restore it, or remove the card.`)
    const { name, description, question } = insight
    return { done: true, title: name, description, question: { ...question } }
  }

  /** Changes the cards; the outcome names the version before, so that a page can undo the change. */
  private async replaceCards(
    projectId: number,
    id: string,
    viewer: Viewer,
    replace: (before: Dashboard, transaction: StoreTransaction) => Promise<SavedCard[] | FailedOutcome>,
  ): Promise<UndoableDashboardOutcome> {
    let version = 0
    const saved = await this.alter('dashboard.change', projectId, id, viewer, async (before, transaction) => {
      version = before.version
      const cards = await replace(before, transaction)
      if (!Array.isArray(cards)) return cards
      return withNextVersion(before, { ...before, cards }, viewer.name, this.dependencies.world.now())
    })
    return saved.done ? { ...saved, before: version } : saved
  }
}

const cardShowsInsight = ({ content }: SavedCard, id: string): boolean =>
  content.type === 'insight' && content.insight === id

/** Opens the dashboards, and tells saved insights which of them are on a dashboard. */
export function openDashboards({
  store,
  world,
  insights,
  experiments,
}: Omit<ConstructorParameters<typeof Dashboards>[0], 'savedInsights'> & {
  insights: { saved: SavedInsights }
}): Dashboards {
  const { saved: savedInsights } = insights
  const dashboards = new Dashboards({ store, world, insights, experiments, savedInsights })
  savedInsights.usedBy((projectId, id) => dashboards.usesOf(projectId, id))
  return dashboards
}

type CardQuery = Record<string, unknown>

/** Applies the dashboard's overrides to a card's query: period and comparison are replaced, filters are added. */
export function withViewOverrides(
  query: CardQuery,
  { period, compare, filter }: Partial<ViewOverrides>,
): CardQuery {
  const { compare: own, ...rest } = query
  const compared = compare ?? own
  return {
    ...rest,
    ...(period !== undefined && { period }),
    ...(compared !== undefined && compared !== 'none' && { compare: compared }),
    ...(filter && { filter: query.filter ? { all: [query.filter, filter] } : filter }),
  }
}
