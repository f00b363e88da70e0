import type { Metadata } from 'next'
import type { Site } from '#posts/site'
import { fallbackFor, frontPage } from '#ui/page/status-titles'
import { SearchForm } from './SearchForm'
import { currentVisit } from './current-visit'
import { currentSite } from './open-site'
import { iconsOf } from './describe-page'
import { translationFor } from './translations'

const notFound = fallbackFor(404)

export function describeNotFound(): Metadata {
  const site = currentSite()
  return {
    title: { absolute: notFound.title },
    robots: { index: false, follow: true },
    ...(site && { icons: iconsOf(site) }),
  }
}

/**
 * In the look of the site. Next's own way for an address without a page leaves it to a script to draw one; this way the
 * front answers with the status that goes with it.
 */
export function NotFoundContent({ site }: { site: Site }) {
  const words = translationFor(site)
  currentVisit().markMissing()
  return (
    <main id="content" className="column alone" tabIndex={-1} data-tilth-404="">
      <p className="status">404</p>
      <h1>{words.notFound}</h1>
      <p className="lead-words">{words.notFoundAdvice}</p>
      <SearchForm site={site} />
      <p>
        <a href={frontPage.address}>{words.toFrontPage}</a>
      </p>
    </main>
  )
}
