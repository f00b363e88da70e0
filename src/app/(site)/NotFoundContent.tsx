import type { Metadata } from 'next'
import type { Site } from '#posts/site'
import { fallbackFor, frontPage } from '#ui/page/status-titles'
import { SearchForm } from './SearchForm'
import { currentVisit } from './current-visit'

const notFound = fallbackFor(404)

export const describeNotFound: Metadata = {
  title: { absolute: notFound.title },
  robots: { index: false, follow: true },
}

/**
 * In the look of the site. Next's own way for an address without a page leaves it to a script to draw one; this way the
 * front answers with the status that goes with it.
 */
export function NotFoundContent({ site }: { site: Site }) {
  currentVisit().markMissing()
  return (
    <main id="content" className="column alone" tabIndex={-1}>
      <p className="status">404</p>
      <h1>{notFound.title}</h1>
      <p className="lead-words">{notFound.advice}</p>
      <SearchForm language={site.language} />
      <p>
        <a href={frontPage.address}>{frontPage.label}</a>
      </p>
    </main>
  )
}
