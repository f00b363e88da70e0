import type { ListEntry } from './list-entries'
import type { PostListSettings } from './PostList'
import { longDate } from './translations'

/** Titles and dates, for lists beside something else. */
export function ShortList({ entries, look }: { entries: readonly ListEntry[]; look: PostListSettings }) {
  if (entries.length === 0) return null
  return (
    <ol className="short-list">
      {entries.map(({ address, title, publishedAt, shown }) => (
        <li key={address} data-flag={shown?.flag} data-variant={shown?.variant}>
          <a href={address} dir="auto">
            {title}
          </a>
          {publishedAt && <time dateTime={publishedAt.toISOString()}>{longDate(publishedAt, look)}</time>}
        </li>
      ))}
    </ol>
  )
}
