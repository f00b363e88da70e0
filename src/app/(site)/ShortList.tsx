import type { Entry } from './entries'
import type { Look } from './PostList'
import { longDate } from './words'

/** Titles and dates, for lists beside something else. */
export function ShortList({ entries, look }: { entries: readonly Entry[]; look: Look }) {
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
