import { isDeepStrictEqual } from 'node:util'
import type { AnsweredQuestion, AskOptions, Insights } from '#insights/ask'
import type { InsightUse, SavedInsights } from '#insights/saved/saved-insights'
import { requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import type { AuditAction } from '#projects/audit-actions'
import { type Outcome, parseInput, failedOutcome } from '#projects/problems'
import { newId } from '#projects/secrets'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import {
  arrangement,
  type SavedCard,
  type CardContent,
  type Dashboard,
  dashboardChange,
  type DashboardVersion,
  type CardInput,
  cardInput,
  type ViewOverrides,
  mostCards,
  newDashboard,
} from './dashboard'
import { createSemaphore } from './semaphore'
import { placementAtEnd, tidyCards } from './grid'
import {
  addVersion,
  dashboardNumbered,
  dashboardsOf,
  forgetVersions,
  homeOf,
  saveDashboard,
  saveHome,
  versionsOf,
} from './store'
import { withViewOverrides } from './view-overrides'
import { type ViewQuery, viewOverridesFrom } from './view-overrides-in-url'

/** A dashboard, and whether it is the project's home. */
export type ListedDashboard = Dashboard & { isHome: boolean }

/** The question of a card with its answer. */
export interface CardAnswer {
  title: string
  description: string
  answered: AnsweredQuestion
}

/** Answers the questions of a dashboard's cards, a few at a time. */
export type CardAsker = (card: SavedCard, options?: AskOptions) => Promise<Outcome<CardAnswer>>

/** With more at once the last card would not be answered sooner, but the first one later. */
const questionsAtOnce = 4

const missing = failedOutcome('There is no such dashboard in this project.')

type DashboardOutcome = Outcome<{ dashboard: Dashboard }>
type UndoableDashboardOutcome = Outcome<{ dashboard: Dashboard; before: number }>

export interface DashboardsDependencies {
  store: Store
  world: World
  insights: Pick<Insights, 'ask' | 'read'>
  savedInsights: Pick<SavedInsights, 'find'>
}

/** Creates and changes dashboards. Archived dashboards and earlier layouts can be restored. */
export class Dashboards {
  constructor(private readonly dependencies: DashboardsDependencies) {}

  async list(projectId: number, viewer: Viewer): Promise<ListedDashboard[]> {
    requireRight('events:read', projectId, viewer)
    const { store } = this.dependencies
    const [all, home] = await Promise.all([dashboardsOf(store, projectId), homeOf(store, projectId)])
    return all.map((dashboard) => ({ ...dashboard, isHome: dashboard.id === home }))
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<ListedDashboard | undefined> {
    requireRight('events:read', projectId, viewer)
    const { store } = this.dependencies
    const dashboard = await dashboardNumbered(store, projectId, id)
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
    const dashboard = id === undefined ? undefined : await dashboardNumbered(store, projectId, id)
    if (id !== undefined && !dashboard) return missing
    if (dashboard?.archivedAt)
      return failedOutcome('An archived dashboard cannot be Home. Bring it back first.')
    const subject = dashboard?.name ?? 'none'
    await store.transaction(async (transaction) => {
      await saveHome(transaction, projectId, id)
      await recordAudit(transaction, { action: 'dashboard.home', subject, projectId }, viewer, world.now())
    })
    return { done: true }
  }

  async create(projectId: number, input: unknown, viewer: Viewer): Promise<DashboardOutcome> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parseInput(newDashboard, input)
    if (!parsed.done) return parsed
    const cards = await this.complete(projectId, parsed.value.cards, viewer)
    if (!cards.done) return cards
    const now = this.dependencies.world.now()
    return await this.save('dashboard.create', viewer, {
      id: newId(this.dependencies.world),
      projectId,
      ...parsed.value,
      cards: cards.cards,
      version: 1,
      createdBy: viewer.name,
      createdAt: now,
      changedBy: viewer.name,
      changedAt: now,
      archivedAt: undefined,
    })
  }

  async change(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<UndoableDashboardOutcome> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parseInput(dashboardChange, input)
    if (!parsed.done) return parsed
    const before = await dashboardNumbered(this.dependencies.store, projectId, id)
    if (!before) return missing
    const cards = await this.complete(projectId, parsed.value.cards ?? before.cards, viewer, before.cards)
    if (!cards.done) return cards
    return await this.replace(before, { ...before, ...parsed.value, cards: cards.cards }, viewer)
  }

  async addCard(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<UndoableDashboardOutcome> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parseInput(cardInput, input)
    if (!parsed.done) return parsed
    const before = await dashboardNumbered(this.dependencies.store, projectId, id)
    if (!before) return missing
    return await this.change(projectId, id, { cards: [...before.cards, parsed.value] }, viewer)
  }

  async changeCard(
    projectId: number,
    id: string,
    cardId: string,
    content: unknown,
    viewer: Viewer,
  ): Promise<UndoableDashboardOutcome> {
    requireRight('insights:write', projectId, viewer)
    const before = await dashboardNumbered(this.dependencies.store, projectId, id)
    if (!before?.cards.some((card) => card.id === cardId)) return failedOutcome('There is no such card.')
    const cards = before.cards.map((card) => (card.id === cardId ? { ...card, content } : card))
    return await this.change(projectId, id, { cards }, viewer)
  }

  async removeCard(
    projectId: number,
    id: string,
    cardId: string,
    viewer: Viewer,
  ): Promise<UndoableDashboardOutcome> {
    requireRight('insights:write', projectId, viewer)
    const before = await dashboardNumbered(this.dependencies.store, projectId, id)
    if (!before) return missing
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
    const before = await dashboardNumbered(this.dependencies.store, projectId, id)
    if (!before) return missing
    const { places } = parsed.value
    const cards = before.cards.map((card) => ({ ...card, place: places[card.id] ?? card.place }))
    return await this.replace(before, { ...before, cards: tidyCards(cards) }, viewer)
  }

  async duplicate(projectId: number, id: string, viewer: Viewer): Promise<DashboardOutcome> {
    requireRight('insights:write', projectId, viewer)
    const dashboard = await dashboardNumbered(this.dependencies.store, projectId, id)
    if (!dashboard) return missing
    const { name, description, cards, look } = dashboard
    return await this.create(
      projectId,
      { name: `${name.slice(0, 70)} (copy)`, description, cards, look },
      viewer,
    )
  }

  async archive(projectId: number, id: string, viewer: Viewer): Promise<DashboardOutcome> {
    requireRight('insights:write', projectId, viewer)
    const before = await dashboardNumbered(this.dependencies.store, projectId, id)
    if (!before) return missing
    const archived = { ...before, archivedAt: this.dependencies.world.now() }
    return await this.save('dashboard.archive', viewer, archived, before)
  }

  async restore(projectId: number, id: string, viewer: Viewer): Promise<DashboardOutcome> {
    requireRight('insights:write', projectId, viewer)
    const before = await dashboardNumbered(this.dependencies.store, projectId, id)
    if (!before) return missing
    return await this.save('dashboard.restore', viewer, { ...before, archivedAt: undefined }, before)
  }

  async versions(
    projectId: number,
    id: string,
    viewer: Viewer,
  ): Promise<Outcome<{ versions: DashboardVersion[] }>> {
    requireRight('events:read', projectId, viewer)
    const dashboard = await dashboardNumbered(this.dependencies.store, projectId, id)
    if (!dashboard) return missing
    return { done: true, versions: await versionsOf(this.dependencies.store, id) }
  }

  /** Saves the cards of an earlier version as the newest one, so that restoring can be undone as well. */
  async restoreVersion(
    projectId: number,
    id: string,
    version: number,
    viewer: Viewer,
  ): Promise<UndoableDashboardOutcome> {
    requireRight('insights:write', projectId, viewer)
    const before = await dashboardNumbered(this.dependencies.store, projectId, id)
    if (!before) return missing
    const versions = await versionsOf(this.dependencies.store, id)
    const wanted = versions.find((one) => one.version === version)
    if (!wanted) return failedOutcome(`There is no version ${version} of this dashboard.`, 'version')
    return await this.replace(before, { ...before, cards: wanted.cards }, viewer)
  }

  /** Returns the dashboards that show an insight; archiving warns about them. */
  async usesOf(projectId: number, insightId: string): Promise<InsightUse[]> {
    const all = await dashboardsOf(this.dependencies.store, projectId)
    return all
      .filter(
        ({ archivedAt, cards }) => !archivedAt && cards.some((card) => cardShowsInsight(card, insightId)),
      )
      .map(({ name }) => ({ kind: 'dashboard', name }))
  }

  /** Returns the view that a URL asks for. */
  viewOverridesFor(dashboard: Dashboard, said: ViewQuery): ViewOverrides {
    return viewOverridesFrom(dashboard, said)
  }

  asking(projectId: number, overrides: Partial<ViewOverrides>, viewer: Viewer): CardAsker {
    requireRight('events:read', projectId, viewer)
    const runLimited = createSemaphore(questionsAtOnce)
    return async ({ content }, options) => {
      const outcome = await this.questionOf(projectId, content, viewer)
      if (!outcome.done) return outcome
      const { title, description, question } = outcome
      const answered = await runLimited(() =>
        this.dependencies.insights.ask(projectId, withViewOverrides(question, overrides), viewer, options),
      )
      return answered.done ? { done: true, title, description, answered } : answered
    }
  }

  private async questionOf(
    projectId: number,
    content: CardContent,
    viewer: Viewer,
  ): Promise<Outcome<{ title: string; description: string; question: Record<string, unknown> }>> {
    if (content.type === 'text') return failedOutcome('A card of text asks nothing.')
    if (content.type === 'question')
      return { done: true, title: content.title, description: '', question: content.question }
    const insight = await this.dependencies.savedInsights.find(projectId, content.insight, viewer)
    if (!insight) return failedOutcome('The insight this card shows is not there any more. Remove the card.')
    if (insight.archivedAt)
      return failedOutcome(`“${insight.name}” is archived. Bring it back, or remove the card.`)
    const { name, description, question } = insight
    return { done: true, title: name, description, question: { ...question } }
  }

  /** Gives each card an id and a place and parses its question. Unchanged cards are not parsed again. */
  private async complete(
    projectId: number,
    given: readonly CardInput[],
    viewer: Viewer,
    known: readonly SavedCard[] = [],
  ): Promise<Outcome<{ cards: SavedCard[] }>> {
    if (given.length > mostCards) return failedOutcome(`A dashboard has ${mostCards} cards at most.`, 'cards')
    const cards: SavedCard[] = []
    for (const [i, { id = newId(this.dependencies.world), place, content }] of given.entries()) {
      const isKnown = known.some((card) => isDeepStrictEqual(card.content, content))
      const read = isKnown ? { done: true as const, content } : await this.read(projectId, content, viewer)
      if (!read.done) return underField(`cards.${i}.content`, read.problems)
      cards.push({ id, place: place ?? placementAtEnd(cards, defaultSizeOf(content)), content: read.content })
    }
    return { done: true, cards: tidyCards(cards) }
  }

  private async read(
    projectId: number,
    content: CardContent,
    viewer: Viewer,
  ): Promise<Outcome<{ content: CardContent }>> {
    if (content.type === 'text') return { done: true, content }
    if (content.type === 'insight') {
      const insight = await this.dependencies.savedInsights.find(projectId, content.insight, viewer)
      return insight
        ? { done: true, content }
        : failedOutcome('There is no such insight in this project.', 'insight')
    }
    const read = this.dependencies.insights.read(content.question)
    if (!read.done) return underField('question', read.problems)
    return { done: true, content: { ...content, question: { ...content.question, ...read.question } } }
  }

  private async replace(
    before: Dashboard,
    wanted: Dashboard,
    viewer: Viewer,
  ): Promise<UndoableDashboardOutcome> {
    const isSame = isDeepStrictEqual(asStored(before.cards), asStored(wanted.cards))
    const saved = await this.save(
      'dashboard.change',
      viewer,
      {
        ...wanted,
        version: isSame ? before.version : before.version + 1,
        changedBy: viewer.name,
        changedAt: this.dependencies.world.now(),
      },
      before,
    )
    return saved.done ? { ...saved, before: before.version } : saved
  }

  private async save(
    action: Extract<AuditAction, `dashboard.${string}`>,
    viewer: Viewer,
    dashboard: Dashboard,
    before?: Dashboard,
  ): Promise<DashboardOutcome> {
    const { store, world } = this.dependencies
    await store.transaction(async (transaction) => {
      await saveDashboard(transaction, dashboard)
      if (dashboard.version !== before?.version) {
        await addVersion(transaction, dashboard)
        await forgetVersions(transaction, dashboard)
      }
      const entry = {
        action,
        subject: dashboard.name,
        projectId: dashboard.projectId,
        after: auditedFields(dashboard),
      }
      await recordAudit(
        transaction,
        before ? { ...entry, before: auditedFields(before) } : entry,
        viewer,
        world.now(),
      )
    })
    return { done: true, dashboard }
  }
}

const cardShowsInsight = ({ content }: SavedCard, id: string): boolean =>
  content.type === 'insight' && content.insight === id

/** Text cards are smaller than charts by default. */
const defaultSizeOf = ({ type }: CardContent) => (type === 'text' ? { w: 6, h: 2 } : { w: 6, h: 5 })

/** Returns the cards as stored: without undefined fields. */
const asStored = (cards: readonly SavedCard[]): unknown => JSON.parse(JSON.stringify(cards))

const underField = (field: string, problems: readonly { field?: string; message: string }[]) => ({
  done: false as const,
  problems: problems.map((problem) => ({
    field: problem.field ? `${field}.${problem.field}` : field,
    message: problem.message,
  })),
})

const auditedFields = ({ name, description, cards, look, archivedAt }: Dashboard) => ({
  name,
  description,
  cards,
  look,
  archivedAt,
})
