import type { Metadata } from 'next'
import { LinkButton } from '#ui/LinkButton'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { PostTabs } from '../PostTabs'
import { siteRootFor } from '../site-root'
import { SiteLink } from '../SiteLink'
import { draftOf } from './draft'
import { SiteForm } from './SiteForm'
import { percent, plural } from '#ui/format'
import { Panel } from '#ui/page/Panel'
import type { PostNumbers } from '#posts/numbers'

export const metadata: Metadata = { title: 'Design' }

/** The site's appearance, links and identification of visitors. */
export async function SitePage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer, role } = await openProject((await params).project)
  const { sites, published, numbers: postNumbers } = getProduct().posts
  const read = await tryRead(() => sites.read(project.id, viewer))
  if (!read.allowed) return <NotAllowed why={read.why} />

  const blockedShare = await tryRead(() => postNumbers.blocked(project.id, '30d', viewer))
  const { slug, name } = project
  const site = read.found
  const openable = published.openableOrigin(site)
  return (
    <Page
      title="Design"
      breadcrumbs={[{ label: name, href: paths.project(slug) }]}
      tabs={<PostTabs slug={slug} current="design" />}
      actions={
        <>
          <SiteLink origin={siteRootFor(site, slug)} />
          <LinkButton href={paths.redirects(slug)}>Redirects</LinkButton>
        </>
      }
    >
      <SiteForm
        slug={slug}
        projectName={name}
        site={{ origin: site.origin, isOpenable: openable !== undefined }}
        saved={draftOf(site, name)}
        titles={published
          .posts(project.id, new Date())
          .slice(0, shownPosts)
          .map(({ title }) => title)}
        whyNot={whyNot('site:write', role)}
      />
      {blockedShare.allowed && blockedShare.found.done && (
        <BlockedShare blocked={blockedShare.found.blocked} />
      )}
    </Page>
  )
}

const shownPosts = 3

type BlockedShareOutcome = Extract<Awaited<ReturnType<PostNumbers['blocked']>>, { done: true }>['blocked']

/** The share of visits that the server counts and scripts miss, measured by the visits that browsers confirm. */
function BlockedShare({ blocked: { served, seen, share, note } }: { blocked: BlockedShareOutcome }) {
  return (
    <Panel title="Blocked browsers" description="Last 30 days.">
      {share === null ? (
        <p className="text-pretty text-muted">
          No data yet. Start a headline test or use a flag on a page: the share of variants shown by the
          server but not confirmed by the browser is an estimate of blocked scripts.
        </p>
      ) : (
        <div className="flex flex-col gap-1">
          <p className="text-2xl font-semibold">{percent(share)}</p>
          <p className="text-pretty text-muted">
            The server showed a variant to {plural(served, 'visitor')}; {plural(seen, 'browser')} confirmed
            it. This is an upper bound: some visitors never scrolled to the variant.
          </p>
          {note && <p className="text-pretty text-muted">{note}</p>}
        </div>
      )}
    </Panel>
  )
}
