import { addressOfPage } from './paging'
import { translationFor } from './translations'

interface PagerProps {
  list: string
  page: number
  pages: number
  language: string
}

/** Absent where one page holds everything. */
export function Pager({ list, page, pages, language }: PagerProps) {
  if (pages === 1) return null
  const words = translationFor(language)
  return (
    <nav className="pager" aria-label={words.pages}>
      {page > 1 && (
        <a className="pager-newer" rel="prev" href={addressOfPage(list, page - 1)}>
          {words.newer}
        </a>
      )}
      <span className="pager-place">{words.page(page, pages)}</span>
      {page < pages && (
        <a className="pager-older" rel="next" href={addressOfPage(list, page + 1)}>
          {words.older}
        </a>
      )}
    </nav>
  )
}
