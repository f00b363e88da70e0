import type { Metadata } from 'next'
import type { Site } from '#posts/site'
import { fallbackFor } from '#ui/page/status-titles'
import { SearchForm } from './SearchForm'
import { currentVisit } from './current-visit'
import { currentSite } from './open-site'
import { iconsOf } from './describe-page'
import { siteForKit } from './kit/site-for-kit'
import { InLayout } from './kit/WithLayout'

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
  currentVisit().markMissing()
  return (
    <main id="content" tabIndex={-1} data-tilth-404="">
      <InLayout
        name="not-found"
        prefix="l-not-found"
        props={{ site: siteForKit(site) }}
        parts={{ search: <SearchForm site={site} /> }}
      />
    </main>
  )
}
