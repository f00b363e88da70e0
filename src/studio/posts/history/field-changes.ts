import type { DiffLine } from '#posts/difference'
import { addressOf, type Post } from '#posts/post'
import { dateTime } from '#ui/format'

export interface PostFieldChange {
  field: string
  before: string
  after: string
}

/** The fields of a post except its text, as words. */
const fields: readonly [label: string, words: (post: Post, timeZone: string) => string][] = [
  ['Title', ({ title }) => title],
  ['URL slug', addressOf],
  ['Excerpt', ({ excerpt }) => excerpt],
  ['Cover', ({ cover }) => (cover ? [cover.address, cover.alt].filter(Boolean).join(', ') : '')],
  ['Tags', ({ tags }) => tags.join(', ')],
  ['Authors', ({ authors }) => authors.join(', ')],
  ['Series', ({ series }) => series ?? ''],
  ['Featured', ({ isFeatured }) => yes(isFeatured)],
  ['Comments', ({ allowsComments }) => yes(allowsComments)],
  ['Title for search engines', ({ metaTitle }) => metaTitle],
  ['Description for search engines', ({ metaDescription }) => metaDescription],
  ['Canonical URL', ({ canonical }) => canonical],
  ['Appears', ({ publishedAt }, timeZone) => (publishedAt ? dateTime(publishedAt, timeZone) : '')],
  ['Archived', ({ archivedAt }) => yes(archivedAt !== undefined)],
  ['Headlines', ({ trial }) => (trial ? `${trial.variants.length} are tried: ${trial.state.name}` : '')],
]

const yes = (is: boolean): string => (is ? 'Yes' : '')

/** The changed fields, or all fields if there was no version before. */
export const fieldChanges = (before: Post | undefined, after: Post, timeZone: string): PostFieldChange[] =>
  fields
    .map(([field, words]) => ({
      field,
      before: before ? words(before, timeZone) : '',
      after: words(after, timeZone),
    }))
    .filter((change) => change.before !== change.after)

/** Lines around a change help to find it; more of them hide it. */
const contextLines = 3

/** Replaces long unchanged ranges by their number of lines. */
export function collapseUnchanged(lines: readonly DiffLine[]): (DiffLine | { left: number })[] {
  return lines.flatMap((line, index) => {
    if (line.state !== 'same') return [line]
    const all = line.text.replace(/\n$/, '').split('\n')
    const before = index === 0 ? 0 : contextLines
    const after = index === lines.length - 1 ? 0 : contextLines
    const left = all.length - before - after
    if (left <= 1) return [line]
    return [
      ...unchangedLines(line, all.slice(0, before)),
      { left },
      ...unchangedLines(line, after === 0 ? [] : all.slice(-after)),
    ]
  })
}

const unchangedLines = (line: DiffLine, kept: string[]): DiffLine[] =>
  kept.length === 0 ? [] : [{ ...line, text: kept.join('\n') }]
