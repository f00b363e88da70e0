import type { Site } from '#posts/site'
import { addressOfPage } from './paging'
import { type TranslatedSite, translationFor } from './translations'

interface PagerProps {
  list: string
  page: number
  pages: number
  site: TranslatedSite & Pick<Site, 'staticServer'>
}

/** Absent where one page holds everything. */
export function Pager({ list, page, pages, site }: PagerProps) {
  if (pages === 1) return null
  const words = translationFor(site)
  return (
    <nav className="pager" aria-label={words.pages}>
      {page > 1 && (
        <a className="pager-newer" rel="prev" href={addressOfPage(list, page - 1, site)}>
          {words.newer}
        </a>
      )}
      <span className="pager-place">{words.page(page, pages)}</span>
      {page < pages && (
        <a className="pager-older" rel="next" href={addressOfPage(list, page + 1, site)}>
          {words.older}
        </a>
      )}
    </nav>
  )
}
