import { addressOf, type Post, seriesAddress } from '#posts/post'
import { type TranslatedSite, translationFor } from './translations'

interface SeriesBoxProps {
  series: string
  /** The published parts, in their order. */
  parts: readonly Post[]
  current: Post
  site: TranslatedSite
}

export function SeriesBox({ series, parts, current, site }: SeriesBoxProps) {
  const words = translationFor(site)
  const index = parts.findIndex(({ id }) => id === current.id)
  return (
    <nav className="series-box" aria-label={words.series}>
      <p className="series-name">
        <a href={seriesAddress(series)} dir="auto">
          {series}
        </a>
        {index >= 0 && <span>{words.partOf(index + 1, parts.length)}</span>}
      </p>
      <div className="series-ways">
        <SeriesLink to={parts[index - 1]} label={words.previous} rel="prev" />
        <SeriesLink to={index >= 0 ? parts[index + 1] : undefined} label={words.next} rel="next" />
      </div>
    </nav>
  )
}

function SeriesLink({ to, label, rel }: { to: Post | undefined; label: string; rel: 'prev' | 'next' }) {
  if (!to) return null
  return (
    <a className={`way way-${rel}`} rel={rel} href={addressOf(to)}>
      <span>{label}</span>
      <strong dir="auto">{to.title}</strong>
    </a>
  )
}
