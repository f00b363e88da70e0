import { z } from 'zod'
import { requireRight, type Viewer } from '#projects/access'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import { LiveCopy, listenByProject } from '#store/live-copy'
import type { Store, TableSource } from '#store/store'
import { openTables, type RowsOf } from '#store/tables'
import type { World } from '#world/world'
import { pathOf } from './addresses'

interface CacheTagRow {
  projectId: number
  /** A tag that pages name, or a path with its slash. */
  tag: string
  version: string
  revalidatedAt: Date
}

const open = openTables<{ siteCacheTags: RowsOf<CacheTagRow> }>()

/** The versions of the tags of a site at one time. */
type TagVersions = ReadonlyMap<string, string>

/** Stands for all tags without a row: those that were never revalidated, or so long ago that they were removed. */
const otherTags = ''

const versionOf = (tag: string, versions: TagVersions): string =>
  versions.get(tag) ?? versions.get(otherTags) ?? 'none'

/** Begins the part of the content of a page that depends on a tag. */
const partPrefix = 'cache-tag '

/** Returns the part of the content of pages with a tag, and its fingerprint. */
export type CacheTagPart = (tag: string) => [part: string, fingerprint: string]

const maxListed = 100
const tooMany = `Name at most ${maxListed} at once.`
const tag = z
  .string()
  .trim()
  .min(1, 'Name a tag.')
  .max(200, 'Use at most 200 characters.')
  .refine((text) => !text.startsWith('/'), 'A path belongs into "paths".')
const path = z
  .string()
  .max(500, 'Use at most 500 characters.')
  .regex(/^\/(?!\/)/, 'Begin with "/": it is a path of this site.')
  .transform(pathOf)

export const revalidateInput = z.strictObject({
  tags: z.array(tag).max(maxListed, tooMany).default([]),
  paths: z.array(path).max(maxListed, tooMany).default([]),
})

interface CacheTagsDependencies {
  store: Store
  world: World
  onTrouble: (problem: unknown) => void
}

const topic = 'site-cache-tags'
/** The tags of a project that stay when there are twice as many. Pages of the removed ones are rendered once more. */
const remainingTags = 2000
const noVersions: TagVersions = new Map()

/**
 * The tags by which pages of a site folder are rendered again. A revalidation gives a tag another version; pages name the
 * versions that they were rendered with, so those on disk and of other fronts are found by comparison.
 */
export class CacheTags {
  private constructor(
    private readonly dependencies: CacheTagsDependencies,
    private readonly copy: LiveCopy<ReadonlyMap<number, TagVersions>>,
  ) {}

  static async open(dependencies: CacheTagsDependencies): Promise<CacheTags> {
    const { store, onTrouble } = dependencies
    const copy = await LiveCopy.open<ReadonlyMap<number, TagVersions>>({
      store,
      topics: [topic],
      initial: new Map(),
      read: (last) => allVersions(store, last),
      onTrouble,
    })
    return new CacheTags(dependencies, copy)
  }

  /** Has every page with one of the tags, or at one of the paths, rendered again when it is next requested. */
  async revalidate(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome> {
    requireRight('posts:write', projectId, viewer)
    const parsed = parseInput(revalidateInput, input)
    if (!parsed.done) return parsed
    const tags = [...new Set([...parsed.value.tags, ...parsed.value.paths])]
    if (tags.length === 0) return failedOutcome('Name at least one tag or path.')
    const { store, world } = this.dependencies
    const revalidatedAt = world.now()
    const version = `${revalidatedAt.getTime()}-${Buffer.from(world.random(6)).toString('hex')}`
    await store.transaction(async (transaction) => {
      for (const each of tags) await saveTag(transaction, { projectId, tag: each, version, revalidatedAt })
      await removeOldest(transaction, { projectId, version, revalidatedAt })
      await transaction.announce(topic)
    })
    await this.copy.caughtUp()
    return { done: true }
  }

  /** The parts as they are now: a rendering takes them before it begins, because a revalidation may come during it. */
  partsNow(projectId: number): CacheTagPart {
    const versions = this.versions(projectId)
    return (each) => [partPrefix + each, versionOf(each, versions)]
  }

  versions(projectId: number): TagVersions {
    return this.copy.value.get(projectId) ?? noVersions
  }

  /** The fingerprint of a part of the content of pages; undefined for the parts of others. */
  fingerprint(projectId: number, part: string): string | undefined {
    if (!part.startsWith(partPrefix)) return undefined
    return versionOf(part.slice(partPrefix.length), this.versions(projectId))
  }

  /** Calls the listener with the id of a project some of whose pages are to be rendered again. */
  onChange(listener: (projectId: number) => void): () => void {
    return this.copy.onChange(listenByProject((versions) => versions, listener))
  }

  get staleMs(): number {
    return this.copy.staleMs
  }

  async caughtUp(): Promise<void> {
    await this.copy.caughtUp()
  }

  async close(): Promise<void> {
    await this.copy.close()
  }
}

/** Versions of a project that did not change stay the same object. */
async function allVersions(
  source: TableSource,
  last: ReadonlyMap<number, TagVersions>,
): Promise<ReadonlyMap<number, TagVersions>> {
  const rows = await open(source)
    .selectFrom('siteCacheTags')
    .select(['projectId', 'tag', 'version'])
    .orderBy('tag')
    .execute()
  const byProject = Map.groupBy(rows, ({ projectId }) => projectId)
  return new Map(
    Array.from(byProject, ([projectId, own]) => {
      const versions: TagVersions = new Map(own.map((row) => [row.tag, row.version]))
      const known = last.get(projectId)
      return [projectId, known && isSame(known, versions) ? known : versions]
    }),
  )
}

const isSame = (one: TagVersions, other: TagVersions): boolean =>
  one.size === other.size && [...one].every(([each, version]) => other.get(each) === version)

async function saveTag(source: TableSource, row: CacheTagRow): Promise<void> {
  const { version, revalidatedAt } = row
  await open(source)
    .insertInto('siteCacheTags')
    .values(row)
    .onConflict((conflict) => conflict.columns(['projectId', 'tag']).doUpdateSet({ version, revalidatedAt }))
    .execute()
}

async function removeOldest(source: TableSource, row: Omit<CacheTagRow, 'tag'>): Promise<void> {
  if (!(await tagAt(source, row, 2 * remainingTags))) return
  const newest = await tagAt(source, row, remainingTags)
  if (!newest) return
  await open(source)
    .deleteFrom('siteCacheTags')
    .where('projectId', '=', row.projectId)
    .where('revalidatedAt', '<=', newest.revalidatedAt)
    .execute()
  await saveTag(source, { ...row, tag: otherTags })
}

/** The tag that so many others were revalidated after. */
async function tagAt(source: TableSource, { projectId }: Pick<CacheTagRow, 'projectId'>, others: number) {
  return await open(source)
    .selectFrom('siteCacheTags')
    .select('revalidatedAt')
    .where('projectId', '=', projectId)
    .orderBy('revalidatedAt', 'desc')
    .offset(others)
    .limit(1)
    .executeTakeFirst()
}
