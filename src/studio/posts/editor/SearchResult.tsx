/** About as much as search engines show before they cut it off. */
const maxLengths = { title: 60, description: 155 }

/** How it may look among the results of a search. */
export function SearchResult({
  site,
  address,
  title,
  description,
}: {
  site: string
  address: string
  title: string
  description: string
}) {
  return (
    <figure className="rounded-lg border border-line bg-surface px-3.5 py-3">
      <figcaption className="sr-only">Search result preview</figcaption>
      <p className="truncate text-xs text-muted">
        <span className="font-medium text-ink">{site}</span> {withoutScheme(address)}
      </p>
      <p className="mt-1 text-base font-medium text-info-ink">{cut(title || 'Untitled', maxLengths.title)}</p>
      <p className="mt-0.5 text-xs text-pretty text-muted">
        {cut(description, maxLengths.description) || 'No description yet.'}
      </p>
    </figure>
  )
}

const withoutScheme = (address: string): string => address.replace(/^https?:\/\//, '').replaceAll('/', ' › ')

/** At a word's end. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most)
  return `${kept.slice(0, Math.max(kept.lastIndexOf(' '), most - 20))} …`
}
