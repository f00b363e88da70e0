import type { Metadata } from 'next'
import { type KitProblem, problemText } from '#site-kit/kit-manifest'
import type { KitMetadata, RenderedKit } from '#site-kit/protocol'
import { describePage } from '../describe-page'
import { openSite } from '../open-site'
import { type FoundKitPage, findKitPage } from './find-kit-page'
import { KitHtml } from './KitHtml'
import { KitProblems } from './KitProblems'
import { currentManifest, problemForTeam, renderKit } from './render-kit'
import { siteForKit } from './site-for-kit'

/** A page of the site folder at this path, if there is one. */
export function kitPageAt(path: string): FoundKitPage | undefined {
  const manifest = currentManifest()
  return manifest && findKitPage(manifest.pages, path)
}

/** Returns what is wrong only where a team is at work; otherwise visitors get the page as it was, or an error page. */
async function renderPage({ file, params }: FoundKitPage): Promise<RenderedKit | KitProblem> {
  const { site } = openSite()
  const outcome = await renderKit({ file, prefix: 'p', props: { params, site: siteForKit(site) } })
  if (outcome.done) return outcome.rendered
  const problem = problemForTeam(file, outcome)
  if (!problem) throw new Error(problemText({ file, ...outcome.failure }))
  return problem
}

export async function describeKitPage(page: FoundKitPage, path: string): Promise<Metadata> {
  const { site } = openSite()
  const rendered = await renderPage(page)
  const about = 'html' in rendered ? rendered.metadata : { title: page.file }
  const { title = '', description = site.description, picture, isHidden }: KitMetadata = about
  return describePage(site, { title, description, path, picture, isHidden })
}

export async function KitPage({ page }: { page: FoundKitPage }) {
  const rendered = await renderPage(page)
  return 'html' in rendered ? <KitHtml rendered={rendered} /> : <KitProblems problems={[rendered]} />
}
