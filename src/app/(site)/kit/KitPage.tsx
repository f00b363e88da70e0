import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { permanentRedirect, redirect } from 'next/navigation'
import { formHeader, type FormResult, readFormResult } from '#site-kit/call-messages'
import { type FoundKitPage, findKitPage } from '#site-kit/find-kit-page'
import { type KitProblem, problemText } from '#site-kit/kit-manifest'
import type { KitOutcome } from '#site-kit/kit-renderer'
import type { KitMetadata, RenderedKit } from '#site-kit/protocol'
import { isReservedPath, pathOf } from '#posts/addresses'
import { siteIn } from '#posts/languages'
import type { Site } from '#posts/site'
import { describePage } from '../describe-page'
import { describeNotFound, NotFoundContent } from '../NotFoundContent'
import { openSite, requestUrl } from '../open-site'
import { PreviewBar } from '../PreviewBar'
import { alternatesOfPage } from './listed-pages'
import { KitHtml } from './KitHtml'
import { KitProblems } from './KitProblems'
import { currentManifest, isPreview, problemForTeam, renderKit } from './render-kit'
import { siteForKit } from './site-for-kit'

/** A page of the site folder at this path, if there is one. */
export function kitPageAt(path: string): FoundKitPage | undefined {
  const manifest = currentManifest()
  return manifest && findKitPage(manifest.pages, path)
}

/** Stands for a page whose form has called notFound(). */
interface MissingPage {
  exit: { status: 404 }
}

const isMissing = (rendered: RenderedKit | KitProblem | MissingPage): rendered is MissingPage =>
  'exit' in rendered && rendered.exit !== undefined

/**
 * Returns what is wrong only where a team is at work; otherwise visitors get the page as it was, or an error page. Does
 * not return for a page that redirects.
 */
async function renderPage(page: FoundKitPage): Promise<RenderedKit | KitProblem | MissingPage> {
  const { file } = page
  const result = await formResult()
  if (result && 'problem' in result) return result.problem
  if (result && 'isMissing' in result) return { exit: { status: 404 } }
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
  const props = { params, site: siteForKit(openSite().site) }
  const result = await formResult()
  const formState = result && 'state' in result ? result.state : undefined
  return await renderKit({ file, isPage: true, prefix: 'p', props, formState })
}

/** The site in the language that the page of the site folder at this path names as its own. */
export async function siteAtKitPage(site: Site, path: string): Promise<Site> {
  const page = isReservedPath(path) || path.startsWith('/blog/') ? undefined : kitPageAt(path)
  const outcome = page && (await outcomeOf(page))
  const languages = outcome?.done ? Object.entries(outcome.rendered.metadata.languages ?? {}) : []
  const own = languages.find(([code, address]) => code !== 'x-default' && pathOf(address) === path)
  return own ? siteIn(site, own[0]) : site
}

/** The result of the form that the visitor has sent to this page, if that is why it is shown. */
async function formResult(): Promise<FormResult | undefined> {
  const written = (await headers()).get(formHeader)
  return written === null ? undefined : readFormResult(written)
}

export async function describeKitPage(page: FoundKitPage, path: string): Promise<Metadata> {
  const { site } = openSite()
  const rendered = await renderPage(page)
  if (isMissing(rendered)) return describeNotFound()
  const about = 'html' in rendered ? rendered.metadata : { title: page.file }
  const { title = '', description = site.description, picture, isHidden, languages = {} }: KitMetadata = about
  const alternates = alternatesOfPage({ languages })
  const words = { title, description, path, picture, alternates }
  return describePage(site, { ...words, isHidden: isHidden || (await isShownByLink()) })
}

async function isShownByLink(): Promise<boolean> {
  return isPreview(openSite().visit, await requestUrl())
}

export async function KitPage({ page }: { page: FoundKitPage }) {
  const rendered = await renderPage(page)
  if (isMissing(rendered)) return <NotFoundContent site={openSite().site} />
  if (!('html' in rendered)) return <KitProblems problems={[rendered]} />
  return (
    <>
      {(await isShownByLink()) && <PreviewBar state={rendered.metadata.draft ? 'draft' : 'published'} />}
      <KitHtml rendered={rendered} />
    </>
  )
}
