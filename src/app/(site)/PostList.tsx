import { authorAddress, tagAddress } from '#posts/post'
import type { Site } from '#posts/site'
import type { ListEntry } from './list-entries'
import { CoverPicture } from './CoverPicture'
import { joinNames, longDate, translationFor } from './translations'

export type PostListSettings = Pick<Site, 'language' | 'words' | 'timeZone' | 'layout'>

interface PostListProps {
  entries: readonly ListEntry[]
  look: PostListSettings
  /** The level of the titles' headings; the page uses the levels above. */
  level?: 'h2' | 'h3'
  /** Whether other things stand above it. */
  isBelow?: boolean
}

export function PostList({ entries, look, level = 'h2', isBelow = false }: PostListProps) {
  return (
    <ol className={look.layout === 'cards' ? 'cards' : 'entries'}>
      {entries.map((entry, index) => (
        <li key={entry.address}>
          <PostEntry entry={entry} look={look} level={level} isFirst={index === 0 && !isBelow} />
        </li>
      ))}
    </ol>
  )
}

/** The first of a blog, shown larger. */
export function LeadPost({
  entry,
  look,
  level = 'h2',
}: { entry: ListEntry } & Pick<PostListProps, 'look' | 'level'>) {
  return <PostEntry entry={entry} look={look} level={level} isFirst isLead />
}

interface PostEntryProps {
  entry: ListEntry
  look: PostListSettings
  level: 'h2' | 'h3'
  isFirst: boolean
  isLead?: boolean
}

function PostEntry({ entry, look, level: Heading, isFirst, isLead = false }: PostEntryProps) {
  const { address, title, excerpt, cover, shown } = entry
  const isCard = look.layout === 'cards' && !isLead
  return (
    <article
      className={isLead ? 'entry lead' : isCard ? 'card' : 'entry'}
      data-flag={shown?.flag}
      data-variant={shown?.variant}
    >
      {cover && <EntryCover cover={cover} isFirst={isFirst} sizes={isLead ? leadSizes : entrySizes} />}
      <div className="entry-words">
        {entry.isFeatured && <p className="mark">{translationFor(look).featured}</p>}
        <Heading className="entry-title" dir="auto">
          <a href={address}>{title}</a>
        </Heading>
        {excerpt && (
          <p className="entry-excerpt" dir="auto">
            {excerpt}
          </p>
        )}
        <EntryFacts entry={entry} look={look} />
        <Tags tags={entry.tags.slice(0, mostTagsShown)} />
      </div>
    </article>
  )
}

const mostTagsShown = 3
const leadSizes = '(min-width: 60rem) 34rem, 100vw'
const entrySizes = '(min-width: 44rem) 22rem, 100vw'

/** The title is a link already; a second one to the same page would disturb keyboard users. */
function EntryCover({
  cover,
  isFirst,
  sizes,
}: {
  cover: NonNullable<ListEntry['cover']>
  isFirst: boolean
  sizes: string
}) {
  return (
    <div className="entry-cover">
      <CoverPicture picture={{ ...cover, alt: '' }} sizes={sizes} isFirst={isFirst} />
    </div>
  )
}

function EntryFacts({ entry, look }: { entry: ListEntry; look: PostListSettings }) {
  const { publishedAt } = entry
  const names = entry.authors.map(({ name }) => name)
  return (
    <p className="facts">
      {names.length > 0 && (
        <span>
          <bdi>{joinNames(names, look.language)}</bdi>
        </span>
      )}
      {publishedAt && <time dateTime={publishedAt.toISOString()}>{longDate(publishedAt, look)}</time>}
      {entry.minutes > 0 && (
        <span>
          <bdi>{translationFor(look).minutes(entry.minutes)}</bdi>
        </span>
      )}
    </p>
  )
}

export function Tags({ tags, label }: { tags: readonly string[]; label?: string }) {
  if (tags.length === 0) return null
  return (
    <ul className="tags" aria-label={label}>
      {tags.map((tag) => (
        <li key={tag}>
          <a href={tagAddress(tag)} dir="auto">
            {tag}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The authors' names, each linked to their posts. */
export function Authors({ authors }: { authors: ListEntry['authors'] }) {
  return authors.map(({ slug, name }) => (
    <a key={slug} href={authorAddress(slug)} rel="author">
      <bdi>{name}</bdi>
    </a>
  ))
}
