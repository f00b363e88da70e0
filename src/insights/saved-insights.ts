import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import type { AuditAction } from '../projects/audit-actions'
import { nameFor } from '../projects/name'
import { type Outcome, parse, undone } from '../projects/problems'
import { newId } from '../projects/secrets'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import { type Answered, type AskOptions, type Insights, readQuestion } from './ask'
import {
  addVersion,
  favouritesOf,
  insightNumbered,
  insightsOf,
  markViewed,
  saveInsight,
  setFavourite,
  versionsOf,
} from './saved/store'
import type { Asked } from './scope'

export type KeptQuestion = Asked & { kind: string }

/** A question that was kept under a name. */
export interface SavedInsight {
  id: string
  projectId: number
  name: string
  description: string
  question: KeptQuestion
  /** Empty where it lies in none. */
  folder: string
  tags: string[]
  /** Counts up with every change of what it says. */
  version: number
  createdBy: string
  createdAt: Date
  changedBy: string
  changedAt: Date
  viewedAt: Date | undefined
  archivedAt: Date | undefined
}

/** What it said from then on. */
export type InsightVersion = Pick<
  SavedInsight,
  'version' | 'name' | 'description' | 'question' | 'changedBy' | 'changedAt'
>

/** With what only whoever asks knows of it. */
export type ListedInsight = SavedInsight & { isFavourite: boolean }

/** What would miss it: a dashboard, an alert. */
export interface InsightUse {
  kind: string
  name: string
}
export type InsightUses = (projectId: number, insightId: string) => Promise<readonly InsightUse[]>

const folderName = z
  .string()
  .trim()
  .max(80, 'Use at most 80 characters for the folder.')
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Leave out line breaks and other characters that cannot be seen.')

const tag = z
  .string()
  .trim()
  .min(1, 'A tag needs a name.')
  .max(40, 'Use at most 40 characters for a tag.')
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Leave out line breaks and other characters that cannot be seen.')

const told = {
  name: nameFor('Name the insight after what it answers.'),
  description: z.string().trim().max(1000, 'Use at most 1000 characters.'),
  question: z.looseObject({ kind: z.string() }, { error: 'Say what it asks.' }),
  folder: folderName,
  tags: z
    .array(tag)
    .max(10, 'Use at most 10 tags.')
    .transform((tags) => [...new Set(tags)]),
}

export const newInsight = z.strictObject({
  ...told,
  description: told.description.default(''),
  folder: told.folder.default(''),
  tags: told.tags.default([]),
})

export const insightChange = z.strictObject(told).partial()

/** In addresses everything is text. */
const yes = z.union([z.boolean(), z.stringbool()])

export const insightSearch = z.object({
  search: z.string().max(200).optional().meta({ description: 'Words in its name, description or tags' }),
  folder: z.string().max(80).optional().meta({ description: 'Only those of this folder' }),
  tag: z.string().max(40).optional().meta({ description: 'Only those with this tag' }),
  kind: z.string().max(40).optional().meta({ description: 'Only questions of this kind' }),
  favourites: yes.optional().meta({ description: 'Only those you marked' }),
  archived: yes.optional().meta({ description: 'Those that were archived instead' }),
})
type InsightSearch = z.infer<typeof insightSearch>

/** How often a look at an insight is worth a write. */
const viewedEveryMs = 60_000

const missing = undone('There is no such insight in this project.')

type Changed = Outcome<{ insight: SavedInsight }>

interface SavedGround {
  store: Store
  world: World
  insights: Pick<Insights, 'ask'>
}

/** Questions under names, with all they ever said. Nothing is deleted: what is archived can be brought back. */
export class SavedInsights {
  private readonly uses: InsightUses[] = []

  constructor(private readonly ground: SavedGround) {}

  /** Asked before an insight is archived: whoever shows insights says so here. */
  usedBy(uses: InsightUses): void {
    this.uses.push(uses)
  }

  async list(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ insights: ListedInsight[] }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parse(insightSearch, input)
    if (!parsed.done) return parsed
    const [all, favourites] = await Promise.all([
      insightsOf(this.ground.store, projectId),
      this.favourites(viewer),
    ])
    const insights = all
      .map((insight) => ({ ...insight, isFavourite: favourites.has(insight.id) }))
      .filter((insight) => fits(insight, parsed.value))
    return { done: true, insights }
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<ListedInsight | undefined> {
    requireRight('events:read', projectId, viewer)
    const insight = await insightNumbered(this.ground.store, projectId, id)
    return insight && { ...insight, isFavourite: (await this.favourites(viewer)).has(id) }
  }

  async ask(projectId: number, id: string, viewer: Viewer, options?: AskOptions): Promise<Outcome<Answered>> {
    const insight = await this.find(projectId, id, viewer)
    return insight ? await this.ground.insights.ask(projectId, insight.question, viewer, options) : missing
  }

  async create(projectId: number, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parse(newInsight, input)
    if (!parsed.done) return parsed
    const read = kept(parsed.value.question)
    if (!read.done) return read
    const now = this.ground.world.now()
    return await this.save('insight.create', viewer, {
      id: newId(this.ground.world),
      projectId,
      ...parsed.value,
      question: read.question,
      version: 1,
      createdBy: viewer.name,
      createdAt: now,
      changedBy: viewer.name,
      changedAt: now,
      viewedAt: undefined,
      archivedAt: undefined,
    })
  }

  async change(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Changed> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parse(insightChange, input)
    if (!parsed.done) return parsed
    const before = await insightNumbered(this.ground.store, projectId, id)
    if (!before) return missing
    const read = kept(parsed.value.question ?? before.question)
    if (!read.done) return read
    return await this.save(
      'insight.change',
      viewer,
      this.changed({ ...before, ...parsed.value, question: read.question }, viewer, before),
      before,
    )
  }

  /** The same under another name, for whoever wants to change it without changing it for others. */
  async duplicate(projectId: number, id: string, viewer: Viewer): Promise<Changed> {
    requireRight('insights:write', projectId, viewer)
    const insight = await insightNumbered(this.ground.store, projectId, id)
    if (!insight) return missing
    const { name, description, question, folder, tags } = insight
    const copy = { name: `${name.slice(0, 70)} (copy)`, description, question, folder, tags }
    return await this.create(projectId, copy, viewer)
  }

  /** What a dashboard or an alert shows is archived only by somebody who was told so. */
  async archive(
    projectId: number,
    id: string,
    { anyway = false }: { anyway?: boolean },
    viewer: Viewer,
  ): Promise<Changed> {
    requireRight('insights:write', projectId, viewer)
    const insight = await insightNumbered(this.ground.store, projectId, id)
    if (!insight) return missing
    const uses = anyway ? [] : await this.whoUses(projectId, id)
    if (uses.length > 0)
      return undone(`It is shown on ${listed(uses)}. Take it off there, or archive it anyway.`, 'anyway')
    return await this.save(
      'insight.archive',
      viewer,
      { ...insight, archivedAt: this.ground.world.now() },
      insight,
    )
  }

  async restore(projectId: number, id: string, viewer: Viewer): Promise<Changed> {
    requireRight('insights:write', projectId, viewer)
    const insight = await insightNumbered(this.ground.store, projectId, id)
    if (!insight) return missing
    return await this.save('insight.restore', viewer, { ...insight, archivedAt: undefined }, insight)
  }

  async usesOf(projectId: number, id: string, viewer: Viewer): Promise<InsightUse[]> {
    requireRight('events:read', projectId, viewer)
    return await this.whoUses(projectId, id)
  }

  async versions(
    projectId: number,
    id: string,
    viewer: Viewer,
  ): Promise<Outcome<{ versions: InsightVersion[] }>> {
    requireRight('events:read', projectId, viewer)
    const insight = await insightNumbered(this.ground.store, projectId, id)
    if (!insight) return missing
    return { done: true, versions: await versionsOf(this.ground.store, id) }
  }

  /** What it said once becomes its newest version; nothing in between is lost. */
  async restoreVersion(projectId: number, id: string, version: number, viewer: Viewer): Promise<Changed> {
    requireRight('insights:write', projectId, viewer)
    const before = await insightNumbered(this.ground.store, projectId, id)
    if (!before) return missing
    const versions = await versionsOf(this.ground.store, id)
    const wanted = versions.find((one) => one.version === version)
    if (!wanted) return undone(`There is no version ${version} of this insight.`, 'version')
    const { name, description, question } = wanted
    return await this.change(projectId, id, { name, description, question }, viewer)
  }

  /** Everybody has their own. */
  async favour(projectId: number, id: string, isFavourite: boolean, viewer: Viewer): Promise<Outcome> {
    requireRight('events:read', projectId, viewer)
    if (viewer.kind !== 'member') return undone('Only people have favourites.')
    const insight = await insightNumbered(this.ground.store, projectId, id)
    if (!insight) return missing
    await setFavourite(this.ground.store, id, viewer.memberId, isFavourite)
    return { done: true }
  }

  /** Somebody looked at it. Programs that read it are no reason to keep it. */
  async noteViewed(insight: SavedInsight, viewer: Viewer): Promise<void> {
    requireRight('events:read', insight.projectId, viewer)
    const now = this.ground.world.now()
    const isRecent = insight.viewedAt && now.getTime() - insight.viewedAt.getTime() < viewedEveryMs
    if (viewer.kind === 'member' && !isRecent) await markViewed(this.ground.store, insight.id, now)
  }

  private async whoUses(projectId: number, id: string): Promise<InsightUse[]> {
    const found = await Promise.all(this.uses.map((uses) => uses(projectId, id)))
    return found.flat()
  }

  private changed(insight: SavedInsight, viewer: Viewer, before: SavedInsight): SavedInsight {
    const changedAt = this.ground.world.now()
    const version = saysTheSame(insight, before) ? before.version : before.version + 1
    return { ...insight, version, changedBy: viewer.name, changedAt }
  }

  private async save(
    action: Extract<AuditAction, `insight.${string}`>,
    viewer: Viewer,
    insight: SavedInsight,
    before?: SavedInsight,
  ): Promise<Changed> {
    const { store, world } = this.ground
    await store.transaction(async (transaction) => {
      await saveInsight(transaction, insight)
      if (insight.version !== before?.version) await addVersion(transaction, insight)
      await transaction.announce('insights')
      const entry = { action, subject: insight.name, projectId: insight.projectId, after: shown(insight) }
      await record(transaction, before ? { ...entry, before: shown(before) } : entry, viewer, world.now())
    })
    return { done: true, insight }
  }

  private async favourites(viewer: Viewer): Promise<ReadonlySet<string>> {
    return viewer.kind === 'member' ? await favouritesOf(this.ground.store, viewer.memberId) : new Set()
  }
}

/** As its kind reads it, with everything said that was left to be understood. */
function kept(question: unknown): Outcome<{ question: KeptQuestion }> {
  const read = readQuestion(question)
  if (!read.done)
    return {
      done: false,
      problems: read.problems.map(({ field, message }) => ({
        field: field ? `question.${field}` : 'question',
        message,
      })),
    }
  // readQuestion answers by the kind that the question names
  return { done: true, question: read.ready.question as KeptQuestion }
}

function fits(
  insight: ListedInsight,
  { search = '', folder, tag: wanted, kind, ...only }: InsightSearch,
): boolean {
  if ((insight.archivedAt !== undefined) !== (only.archived ?? false)) return false
  if (only.favourites && !insight.isFavourite) return false
  if (folder !== undefined && insight.folder !== folder) return false
  if (wanted !== undefined && !insight.tags.includes(wanted)) return false
  if (kind !== undefined && insight.question.kind !== kind) return false
  const words = [insight.name, insight.description, insight.folder, ...insight.tags].join('\n').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word))
}

const saysTheSame = (one: SavedInsight, other: SavedInsight): boolean =>
  one.name === other.name &&
  one.description === other.description &&
  isDeepStrictEqual(JSON.parse(JSON.stringify(one.question)), JSON.parse(JSON.stringify(other.question)))

const listed = (uses: readonly InsightUse[]): string =>
  uses.map(({ kind, name }) => `the ${kind} “${name}”`).join(' and ')

const shown = ({ name, description, question, folder, tags, archivedAt }: SavedInsight) => ({
  name,
  description,
  question,
  folder,
  tags,
  archivedAt,
})
