import type { Metadata } from 'next'
import { permanentRedirect, redirect } from 'next/navigation'
import { type KitProblem, problemText } from '#site-kit/kit-manifest'
import type { KitOutcome } from '#site-kit/kit-renderer'
import type { KitMetadata, RenderedKit } from '#site-kit/protocol'
import { isReservedPath, pathOf } from '#posts/addresses'
import { siteIn } from '#posts/languages'
import type { Site } from '#posts/site'
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
async function renderPage(page: FoundKitPage): Promise<RenderedKit | KitProblem> {
  const { file } = page
  const outcome = await outcomeOf(page)
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

/** The layout, the head and the body of a page share one rendering. */
async function outcomeOf({ file, params }: FoundKitPage): Promise<KitOutcome> {
  const { site } = openSite()
  return await renderKit({ file, isPage: true, prefix: 'p', props: { params, site: siteForKit(site) } })
}

/** The site in the language that the page of the site folder at this path names as its own. */
export async function siteAtKitPage(site: Site, path: string): Promise<Site> {
  const page = isReservedPath(path) || path.startsWith('/blog/') ? undefined : kitPageAt(path)
  const outcome = page && (await outcomeOf(page))
  const languages = outcome?.done ? Object.entries(outcome.rendered.metadata.languages ?? {}) : []
  const own = languages.find(([code, address]) => code !== 'x-default' && pathOf(address) === path)
  return own ? siteIn(site, own[0]) : site
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
