import { isDeepStrictEqual } from 'node:util'
import type { Answered, AskOptions, Insights } from '../insights/ask'
import type { InsightUse, SavedInsights } from '../insights/saved-insights'
import { requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import type { AuditAction } from '../projects/audit-actions'
import { type Outcome, parse, undone } from '../projects/problems'
import { newId } from '../projects/secrets'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import {
  arrangement,
  type Card,
  type CardContent,
  type Dashboard,
  dashboardChange,
  type DashboardVersion,
  type GivenCard,
  givenCard,
  type Look,
  mostCards,
  newDashboard,
} from './dashboard'
import { openGate } from './gate'
import { atTheEnd, tidied } from './grid'
import {
  addVersion,
  dashboardNumbered,
  dashboardsOf,
  forgetVersions,
  homeOf,
  saveDashboard,
  saveHome,
  versionsOf,
} from './kept/store'
import { asLooked } from './look'
import { type SaidLook, saidLook } from './said-look'

/** With what is true of it among the others. */
export type ListedDashboard = Dashboard & { isHome: boolean }

/** What a card shows, answered. */
export interface CardAnswer {
  title: string
  description: string
  answered: Answered
}

/** Asks what the cards of one look at a dashboard ask, a few at a time. */
export type AskCard = (card: Card, options?: AskOptions) => Promise<Outcome<CardAnswer>>

/** More at once, and the last card would not come sooner, but the first would come later. */
const questionsAtOnce = 4

const missing = undone('There is no such dashboard in this project.')

type Changed = Outcome<{ dashboard: Dashboard }>
type Undoable = Outcome<{ dashboard: Dashboard; before: number }>

export interface DashboardsGround {
  store: Store
  world: World
  insights: Pick<Insights, 'ask' | 'read'>
  savedInsights: Pick<SavedInsights, 'find'>
}

/** Pages of insights. Nothing is deleted: what is archived can be brought back, and so can every layout. */
export class Dashboards {
  constructor(private readonly ground: DashboardsGround) {}

  async list(projectId: number, viewer: Viewer): Promise<ListedDashboard[]> {
    requireRight('events:read', projectId, viewer)
    const { store } = this.ground
    const [all, home] = await Promise.all([dashboardsOf(store, projectId), homeOf(store, projectId)])
    return all.map((dashboard) => ({ ...dashboard, isHome: dashboard.id === home }))
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<ListedDashboard | undefined> {
    requireRight('events:read', projectId, viewer)
    const { store } = this.ground
    const dashboard = await dashboardNumbered(store, projectId, id)
    return dashboard && { ...dashboard, isHome: (await homeOf(store, projectId)) === id }
  }

  /** The one that a project begins with; undefined where none was chosen, or it is archived. */
  async home(projectId: number, viewer: Viewer): Promise<ListedDashboard | undefined> {
    requireRight('events:read', projectId, viewer)
    const id = await homeOf(this.ground.store, projectId)
    const dashboard = id === undefined ? undefined : await this.find(projectId, id, viewer)
    return dashboard?.archivedAt ? undefined : dashboard
  }

  /** `undefined` gives a project back the Home that every new one has. */
  async chooseHome(projectId: number, id: string | undefined, viewer: Viewer): Promise<Outcome> {
    requireRight('insights:write', projectId, viewer)
    const { store, world } = this.ground
    const dashboard = id === undefined ? undefined : await dashboardNumbered(store, projectId, id)
    if (id !== undefined && !dashboard) return missing
    if (dashboard?.archivedAt) return undone('An archived dashboard cannot be Home. Bring it back first.')
    const subject = dashboard?.name ?? 'none'
    await store.transaction(async (transaction) => {
      await saveHome(transaction, projectId, id)
      await record(transaction, { action: 'dashboard.home', subject, projectId }, viewer, world.now())
    })
    return { done: true }
  }

  async create(projectId: number, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parse(newDashboard, input)
    if (!parsed.done) return parsed
    const cards = await this.complete(projectId, parsed.value.cards, viewer)
    if (!cards.done) return cards
    const now = this.ground.world.now()
    return await this.save('dashboard.create', viewer, {
      id: newId(this.ground.world),
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

  async change(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Undoable> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parse(dashboardChange, input)
    if (!parsed.done) return parsed
    const before = await dashboardNumbered(this.ground.store, projectId, id)
    if (!before) return missing
    const cards = await this.complete(projectId, parsed.value.cards ?? before.cards, viewer, before.cards)
    if (!cards.done) return cards
    return await this.replace(before, { ...before, ...parsed.value, cards: cards.cards }, viewer)
  }

  async addCard(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Undoable> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parse(givenCard, input)
    if (!parsed.done) return parsed
    const before = await dashboardNumbered(this.ground.store, projectId, id)
    if (!before) return missing
    return await this.change(projectId, id, { cards: [...before.cards, parsed.value] }, viewer)
  }

  async changeCard(
    projectId: number,
    id: string,
    cardId: string,
    content: unknown,
    viewer: Viewer,
  ): Promise<Undoable> {
    requireRight('insights:write', projectId, viewer)
    const before = await dashboardNumbered(this.ground.store, projectId, id)
    if (!before?.cards.some((card) => card.id === cardId)) return undone('There is no such card.')
    const cards = before.cards.map((card) => (card.id === cardId ? { ...card, content } : card))
    return await this.change(projectId, id, { cards }, viewer)
  }

  async removeCard(projectId: number, id: string, cardId: string, viewer: Viewer): Promise<Undoable> {
    requireRight('insights:write', projectId, viewer)
    const before = await dashboardNumbered(this.ground.store, projectId, id)
    if (!before) return missing
    const cards = before.cards.filter((card) => card.id !== cardId)
    return await this.change(projectId, id, { cards }, viewer)
  }

  /** Only where the cards stand: whatever else changed meanwhile stays as it is. */
  async arrange(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Undoable> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parse(arrangement, input)
    if (!parsed.done) return parsed
    const before = await dashboardNumbered(this.ground.store, projectId, id)
    if (!before) return missing
    const { places } = parsed.value
    const cards = before.cards.map((card) => ({ ...card, place: places[card.id] ?? card.place }))
    return await this.replace(before, { ...before, cards: tidied(cards) }, viewer)
  }

  async duplicate(projectId: number, id: string, viewer: Viewer): Promise<Changed> {
    requireRight('insights:write', projectId, viewer)
    const dashboard = await dashboardNumbered(this.ground.store, projectId, id)
    if (!dashboard) return missing
    const { name, description, cards, look } = dashboard
    return await this.create(
      projectId,
      { name: `${name.slice(0, 70)} (copy)`, description, cards, look },
      viewer,
    )
  }

  async archive(projectId: number, id: string, viewer: Viewer): Promise<Changed> {
    requireRight('insights:write', projectId, viewer)
    const before = await dashboardNumbered(this.ground.store, projectId, id)
    if (!before) return missing
    const archived = { ...before, archivedAt: this.ground.world.now() }
    return await this.save('dashboard.archive', viewer, archived, before)
  }

  async restore(projectId: number, id: string, viewer: Viewer): Promise<Changed> {
    requireRight('insights:write', projectId, viewer)
    const before = await dashboardNumbered(this.ground.store, projectId, id)
    if (!before) return missing
    return await this.save('dashboard.restore', viewer, { ...before, archivedAt: undefined }, before)
  }

  async versions(
    projectId: number,
    id: string,
    viewer: Viewer,
  ): Promise<Outcome<{ versions: DashboardVersion[] }>> {
    requireRight('events:read', projectId, viewer)
    const dashboard = await dashboardNumbered(this.ground.store, projectId, id)
    if (!dashboard) return missing
    return { done: true, versions: await versionsOf(this.ground.store, id) }
  }

  /** What its cards were once become its newest version, so that this can be undone as well. */
  async restoreVersion(projectId: number, id: string, version: number, viewer: Viewer): Promise<Undoable> {
    requireRight('insights:write', projectId, viewer)
    const before = await dashboardNumbered(this.ground.store, projectId, id)
    if (!before) return missing
    const versions = await versionsOf(this.ground.store, id)
    const wanted = versions.find((one) => one.version === version)
    if (!wanted) return undone(`There is no version ${version} of this dashboard.`, 'version')
    return await this.replace(before, { ...before, cards: wanted.cards }, viewer)
  }

  /** Whoever archives an insight is told where it is shown. */
  async usesOf(projectId: number, insightId: string): Promise<InsightUse[]> {
    const all = await dashboardsOf(this.ground.store, projectId)
    return all
      .filter(({ archivedAt, cards }) => !archivedAt && cards.some((card) => showsInsight(card, insightId)))
      .map(({ name }) => ({ kind: 'dashboard', name }))
  }

  /** How an address asks to look at it. */
  lookAt(dashboard: Dashboard, said: SaidLook): Look {
    return saidLook(dashboard, said)
  }

  asking(projectId: number, look: Partial<Look>, viewer: Viewer): AskCard {
    requireRight('events:read', projectId, viewer)
    const throughGate = openGate(questionsAtOnce)
    return async ({ content }, options) => {
      const asked = await this.askedBy(projectId, content, viewer)
      if (!asked.done) return asked
      const { title, description, question } = asked
      const answered = await throughGate(() =>
        this.ground.insights.ask(projectId, asLooked(question, look), viewer, options),
      )
      return answered.done ? { done: true, title, description, answered } : answered
    }
  }

  private async askedBy(
    projectId: number,
    content: CardContent,
    viewer: Viewer,
  ): Promise<Outcome<{ title: string; description: string; question: Record<string, unknown> }>> {
    if (content.type === 'text') return undone('A card of text asks nothing.')
    if (content.type === 'question')
      return { done: true, title: content.title, description: '', question: content.question }
    const insight = await this.ground.savedInsights.find(projectId, content.insight, viewer)
    if (!insight) return undone('The insight this card shows is not there any more. Remove the card.')
    if (insight.archivedAt) return undone(`“${insight.name}” is archived. Bring it back, or remove the card.`)
    const { name, description, question } = insight
    return { done: true, title: name, description, question: { ...question } }
  }

  /** Every card with an id and a place, its question read by its kind. What was there before is taken as it is. */
  private async complete(
    projectId: number,
    given: readonly GivenCard[],
    viewer: Viewer,
    known: readonly Card[] = [],
  ): Promise<Outcome<{ cards: Card[] }>> {
    if (given.length > mostCards) return undone(`A dashboard has ${mostCards} cards at most.`, 'cards')
    const cards: Card[] = []
    for (const [i, { id = newId(this.ground.world), place, content }] of given.entries()) {
      const isKnown = known.some((card) => isDeepStrictEqual(card.content, content))
      const read = isKnown ? { done: true as const, content } : await this.read(projectId, content, viewer)
      if (!read.done) return under(`cards.${i}.content`, read.problems)
      cards.push({ id, place: place ?? atTheEnd(cards, sizeOf(content)), content: read.content })
    }
    return { done: true, cards: tidied(cards) }
  }

  private async read(
    projectId: number,
    content: CardContent,
    viewer: Viewer,
  ): Promise<Outcome<{ content: CardContent }>> {
    if (content.type === 'text') return { done: true, content }
    if (content.type === 'insight') {
      const insight = await this.ground.savedInsights.find(projectId, content.insight, viewer)
      return insight
        ? { done: true, content }
        : undone('There is no such insight in this project.', 'insight')
    }
    const read = this.ground.insights.read(content.question)
    if (!read.done) return under('question', read.problems)
    return { done: true, content: { ...content, question: { ...content.question, ...read.question } } }
  }

  private async replace(before: Dashboard, wanted: Dashboard, viewer: Viewer): Promise<Undoable> {
    const isSame = isDeepStrictEqual(plain(before.cards), plain(wanted.cards))
    const saved = await this.save(
      'dashboard.change',
      viewer,
      {
        ...wanted,
        version: isSame ? before.version : before.version + 1,
        changedBy: viewer.name,
        changedAt: this.ground.world.now(),
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
  ): Promise<Changed> {
    const { store, world } = this.ground
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
        after: shown(dashboard),
      }
      await record(transaction, before ? { ...entry, before: shown(before) } : entry, viewer, world.now())
    })
    return { done: true, dashboard }
  }
}

const showsInsight = ({ content }: Card, id: string): boolean =>
  content.type === 'insight' && content.insight === id

/** Words take less room than charts. */
const sizeOf = ({ type }: CardContent) => (type === 'text' ? { w: 6, h: 2 } : { w: 6, h: 5 })

/** As it is kept: without what is undefined. */
const plain = (cards: readonly Card[]): unknown => JSON.parse(JSON.stringify(cards))

const under = (field: string, problems: readonly { field?: string; message: string }[]) => ({
  done: false as const,
  problems: problems.map((problem) => ({
    field: problem.field ? `${field}.${problem.field}` : field,
    message: problem.message,
  })),
})

const shown = ({ name, description, cards, look, archivedAt }: Dashboard) => ({
  name,
  description,
  cards,
  look,
  archivedAt,
})
