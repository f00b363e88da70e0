import type { Viewer } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { Product } from '#server/product'
import type { PosthogClient } from '../../posthog-client'
import type { EntryKind, EntryReport } from '../entry-report'

export type MovedProduct = Pick<
  Product,
  'people' | 'experiments' | 'flags' | 'movedEntries' | 'insights' | 'surveys'
>

export interface EntryRequest {
  client: PosthogClient
  project: Project
  kinds: readonly EntryKind[]
  /** Says what would be made, and makes nothing. */
  isPreview: boolean
  viewer: Viewer
  now: Date
}

/** An entry as PostHog's API gives it. */
export type TheirEntry = Readonly<Record<string, unknown>>

/** The dependencies and options of moving entries of any kind. */
export interface EntryMove extends EntryRequest {
  product: MovedProduct
  report: EntryReport
  /** Names of group types by PostHog's numbers. */
  groupTypes: Readonly<Record<string, string>>
  /** Ids of cohorts here, by those in PostHog. */
  cohortIds: Map<string, string>
}

/** A translated entry: its input here, and sentences on what it loses. */
export type Translated = Outcome<{ input: object; notes: readonly string[] }>

export const textIn = (entry: TheirEntry, field: string): string => {
  const value = entry[field]
  return typeof value === 'string' ? value.trim() : ''
}

export const idIn = (entry: TheirEntry): string => String(entry['id'])

/** An id in PostHog is one of its installation. */
export const theirIdOf = ({ client }: EntryRequest, entry: TheirEntry): string =>
  `${client.origin} ${idIn(entry)}`

export const messagesOf = ({ problems }: { problems: readonly { message: string }[] }): string =>
  problems.map(({ message }) => message).join(' ')

/**
 * Makes the entries of one kind that are not here yet. `create` returns the id of the new one; entries are made in their
 * order, so that one may name those before it.
 */
export async function makeEach(
  move: EntryMove,
  kind: EntryKind,
  entries: readonly TheirEntry[],
  work: {
    nameOf: (entry: TheirEntry) => string
    translate: (entry: TheirEntry) => Translated
    create: (input: object, entry: TheirEntry) => Promise<Outcome<{ id: string; notes?: readonly string[] }>>
    made?: (entry: TheirEntry, ourId: string) => void
  },
): Promise<void> {
  const { product, project, viewer, report, isPreview } = move
  const known = await product.movedEntries.list(project.id, kind, viewer)
  for (const entry of entries) {
    const name = work.nameOf(entry)
    const theirId = theirIdOf(move, entry)
    const ourId = known.get(theirId)
    if (ourId !== undefined) {
      report.there.push({ kind, name })
      work.made?.(entry, ourId)
      continue
    }
    const translated = work.translate(entry)
    if (!translated.done) {
      report.leftOut.push({ kind, name, why: messagesOf(translated) })
      continue
    }
    const created = isPreview
      ? ({ done: true, id: `new ${idIn(entry)}` } as const)
      : await work.create(translated.input, entry)
    if (!created.done) {
      report.leftOut.push({ kind, name, why: messagesOf(created) })
      continue
    }
    if (!isPreview) await product.movedEntries.add(project.id, { kind, theirId, ourId: created.id }, viewer)
    work.made?.(entry, created.id)
    report.made.push({ kind, name })
    for (const why of [...translated.notes, ...(('notes' in created && created.notes) || [])])
      report.notes.push({ kind, name, why })
  }
}
