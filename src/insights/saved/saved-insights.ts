import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { declareCollection, writerClass } from '#collection/collection'
import type { CollectionDependencies } from '#collection/declaration'
import { shownAs } from '#collection/entry-shape'
import { earlierVersion } from '#collection/versions'
import { requireRight, type Viewer } from '#projects/access'
import { type Outcome, parseInput, failedOutcome } from '#projects/problems'
import type { AnsweredQuery } from '../answered-query'
import { type AskOptions, type Insights, readQuery } from '../ask'
import { insightFields, type insightVersion, savedInsight, type SavedQuery } from './insight-schema'
import {
  addVersion,
  favouritesOf,
  insightNumbered,
  insightsOf,
  markViewed,
  saveInsight,
  setFavourite,
  versionsOf,
} from './store'

export type SavedInsight = z.infer<typeof savedInsight>
export type InsightVersion = z.infer<typeof insightVersion>

/** An insight, and whether it is the viewer's favourite. */
export type ListedInsight = SavedInsight & { isFavourite: boolean }

/** A dashboard or alert that uses the insight. */
export interface InsightUse {
  kind: string
  name: string
}
type InsightUses = (projectId: number, insightId: string) => Promise<readonly InsightUse[]>

const newInsight = z.strictObject({
  ...insightFields,
  description: insightFields.description.default(''),
  folder: insightFields.folder.default(''),
  tags: insightFields.tags.default([]),
})

const insightChange = z.strictObject(insightFields).partial()

/** Query parameters are text. */
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

/** The shortest interval between two writes of the view time. */
const viewedEveryMs = 60_000

/** Saved queries, those changed last first. */
export const insightCollection = declareCollection({
  name: 'insight',
  rights: { read: 'events:read', write: 'insights:write' },
  newEntry: newInsight,
  change: insightChange,
  table: { list: insightsOf, find: insightNumbered, save: saveInsight },
  idOf: ({ id }) => id,
  audit: {
    subject: ({ name }) => name,
    fields: ({ name, description, question, folder, tags, archivedAt }) => ({
      name,
      description,
      question,
      folder,
      tags,
      archivedAt,
    }),
  },
  applyNew: (input, { created }) => {
    const read = parseSavedQuery(input.question)
    if (!read.done) return read
    return {
      ...created,
      ...input,
      question: read.question,
      version: 1,
      changedBy: created.createdBy,
      changedAt: created.createdAt,
      viewedAt: undefined,
      archivedAt: undefined,
    }
  },
  applyChange: (before, change, { name: changedBy }, { now: changedAt }) => {
    const read = parseSavedQuery(change.question ?? before.question)
    if (!read.done) return read
    const insight = { ...before, ...change, question: read.question }
    const version = isSameInsight(insight, before) ? before.version : before.version + 1
    return { ...insight, version, changedBy, changedAt }
  },
  afterSave: async (transaction, insight, { before }) => {
    if (insight.version !== before?.version) await addVersion(transaction, insight)
  },
  topic: 'insights',
  api: {
    summaries: {
      list: 'List saved insights, those changed last first',
      create: 'Save an insight',
      find: 'Read a saved insight',
      change: 'Change a saved insight',
    },
    ...shownAs('Insight', savedInsight.omit({ projectId: true })),
  },
})

type SavedInsightOutcome = Outcome<{ insight: SavedInsight }>

interface SavedInsightsDependencies extends CollectionDependencies {
  insights: Pick<Insights, 'ask'>
}

/** Creates and changes saved insights, with all versions. Archived insights can be restored. */
export class SavedInsights extends writerClass(insightCollection) {
  private readonly uses: InsightUses[] = []

  constructor(protected override readonly dependencies: SavedInsightsDependencies) {
    super(dependencies)
  }

  /** Registers a source of uses, such as dashboards, which is queried before an insight is archived. */
  usedBy(uses: InsightUses): void {
    this.uses.push(uses)
  }

  async list(
    projectId: number,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ insights: ListedInsight[] }>> {
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(insightSearch, input)
    if (!parsed.done) return parsed
    const [all, favourites] = await Promise.all([
      insightsOf(this.dependencies.store, projectId),
      this.favourites(viewer),
    ])
    const insights = all
      .map((insight) => ({ ...insight, isFavourite: favourites.has(insight.id) }))
      .filter((insight) => matchesSearch(insight, parsed.value))
    return { done: true, insights }
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<ListedInsight | undefined> {
    requireRight('events:read', projectId, viewer)
    const insight = await this.lookUp(viewer, projectId, id)
    return insight && { ...insight, isFavourite: (await this.favourites(viewer)).has(id) }
  }

  async ask(
    projectId: number,
    id: string,
    viewer: Viewer,
    options?: AskOptions,
  ): Promise<Outcome<AnsweredQuery>> {
    const insight = await this.find(projectId, id, viewer)
    return insight
      ? await this.dependencies.insights.ask(projectId, insight.question, viewer, options)
      : this.missing()
  }

  /** Copies an insight under another name. */
  async duplicate(projectId: number, id: string, viewer: Viewer): Promise<SavedInsightOutcome> {
    requireRight('insights:write', projectId, viewer)
    const insight = await this.lookUp(viewer, projectId, id)
    if (!insight) return this.missing()
    const { name, description, question, folder, tags } = insight
    const copy = { name: `${name.slice(0, 70)} (copy)`, description, question, folder, tags }
    return await this.create(projectId, copy, viewer)
  }

  /** Archives an insight; one that a dashboard or an alert uses needs confirmation. */
  async archive(
    projectId: number,
    id: string,
    { anyway = false }: { anyway?: boolean },
    viewer: Viewer,
  ): Promise<SavedInsightOutcome> {
    requireRight('insights:write', projectId, viewer)
    if (!(await this.lookUp(viewer, projectId, id))) return this.missing()
    const uses = anyway ? [] : await this.whoUses(projectId, id)
    if (uses.length > 0)
      return failedOutcome(`It is used on ${listed(uses)}. Remove it there, or archive it anyway.`, 'anyway')
    const archivedAt = this.dependencies.world.now()
    return await this.alter('insight.archive', projectId, id, viewer, (insight) => ({
      ...insight,
      archivedAt,
    }))
  }

  async restore(projectId: number, id: string, viewer: Viewer): Promise<SavedInsightOutcome> {
    return await this.alter('insight.restore', projectId, id, viewer, (insight) => ({
      ...insight,
      archivedAt: undefined,
    }))
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
    const insight = await this.lookUp(viewer, projectId, id)
    if (!insight) return this.missing()
    return { done: true, versions: await versionsOf(this.dependencies.store, id) }
  }

  /** Saves an earlier version as the newest one; the versions between are kept. */
  async restoreVersion(
    projectId: number,
    id: string,
    version: number,
    viewer: Viewer,
  ): Promise<SavedInsightOutcome> {
    requireRight('insights:write', projectId, viewer)
    const before = await this.lookUp(viewer, projectId, id)
    if (!before) return this.missing()
    const earlier = earlierVersion(await versionsOf(this.dependencies.store, id), version, 'insight')
    if (!earlier.done) return earlier
    const { name, description, question } = earlier.found
    return await this.change(projectId, id, { name, description, question }, viewer)
  }

  /** Favourites are per member. */
  async setFavourite(projectId: number, id: string, isFavourite: boolean, viewer: Viewer): Promise<Outcome> {
    requireRight('events:read', projectId, viewer)
    if (viewer.kind !== 'member') return failedOutcome('Only people have favourites.')
    const insight = await this.lookUp(viewer, projectId, id)
    if (!insight) return this.missing()
    await setFavourite(this.dependencies.store, id, viewer.memberId, isFavourite)
    return { done: true }
  }

  /** Records a view by a member; API reads do not count. */
  async noteViewed(insight: SavedInsight, viewer: Viewer): Promise<void> {
    requireRight('events:read', insight.projectId, viewer)
    const now = this.dependencies.world.now()
    const isRecent = insight.viewedAt && now.getTime() - insight.viewedAt.getTime() < viewedEveryMs
    if (viewer.kind === 'member' && !isRecent) await markViewed(this.dependencies.store, insight.id, now)
  }

  private async whoUses(projectId: number, id: string): Promise<InsightUse[]> {
    const found = await Promise.all(this.uses.map((uses) => uses(projectId, id)))
    return found.flat()
  }

  private async favourites(viewer: Viewer): Promise<ReadonlySet<string>> {
    return viewer.kind === 'member' ? await favouritesOf(this.dependencies.store, viewer.memberId) : new Set()
  }
}

/** Parses the query by its kind and fills in the defaults. */
function parseSavedQuery(query: unknown): Outcome<{ question: SavedQuery }> {
  const read = readQuery(query)
  if (!read.done)
    return {
      done: false,
      problems: read.problems.map(({ field, message }) => ({
        field: field ? `question.${field}` : 'question',
        message,
      })),
    }
  return { done: true, question: read.ready.query }
}

function matchesSearch(
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

const isSameInsight = (one: SavedInsight, other: SavedInsight): boolean =>
  one.name === other.name &&
  one.description === other.description &&
  isDeepStrictEqual(JSON.parse(JSON.stringify(one.question)), JSON.parse(JSON.stringify(other.question)))

const listed = (uses: readonly InsightUse[]): string =>
  uses.map(({ kind, name }) => `the ${kind} “${name}”`).join(' and ')
