import type { Metadata } from 'next'
import { permanentRedirect, redirect } from 'next/navigation'
import { type KitProblem, problemText } from '#site-kit/kit-manifest'
import type { KitMetadata, RenderedKit } from '#site-kit/protocol'
import { describePage } from '../describe-page'
import { describeNotFound, NotFoundContent } from '../NotFoundContent'
import { openSite } from '../open-site'
import { type FoundKitPage, findKitPage } from './find-kit-page'
import { alternatesOfPage } from './listed-pages'
import { KitHtml } from './KitHtml'
import { KitProblems } from './KitProblems'
import { currentManifest, problemForTeam, renderKit } from './render-kit'
import { siteForKit } from './site-for-kit'

/** A page of the site folder at this path, if there is one. */
export function kitPageAt(path: string): FoundKitPage | undefined {
  const manifest = currentManifest()
  return manifest && findKitPage(manifest.pages, path)
}

/**
 * Returns what is wrong only where a team is at work; otherwise visitors get the page as it was, or an error page. Does
 * not return for a page that redirects.
 */
async function renderPage({ file, params }: FoundKitPage): Promise<RenderedKit | KitProblem> {
  const { site } = openSite()
  const props = { params, site: siteForKit(site) }
  const outcome = await renderKit({ file, isPage: true, prefix: 'p', props })
  if (outcome.done) {
    const { exit } = outcome.rendered
    if (exit?.status === 307) redirect(exit.location)
    if (exit?.status === 308) permanentRedirect(exit.location)
    return outcome.rendered
  }
  const problem = problemForTeam(file, outcome)
  if (!problem) throw new Error(problemText({ file, ...outcome.failure }))
  return problem
}

export async function describeKitPage(page: FoundKitPage, path: string): Promise<Metadata> {
  const { site } = openSite()
  const rendered = await renderPage(page)
  if ('exit' in rendered) return describeNotFound()
  const about = 'html' in rendered ? rendered.metadata : { title: page.file }
  const { title = '', description = site.description, picture, isHidden, languages = {} }: KitMetadata = about
  const alternates = alternatesOfPage({ languages })
  return describePage(site, { title, description, path, picture, isHidden, alternates })
}

export async function KitPage({ page }: { page: FoundKitPage }) {
  const rendered = await renderPage(page)
  if ('exit' in rendered) return <NotFoundContent site={openSite().site} />
  return 'html' in rendered ? <KitHtml rendered={rendered} /> : <KitProblems problems={[rendered]} />
}
