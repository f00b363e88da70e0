import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { PostTabs } from '../PostTabs'
import { SiteLink } from '../SiteLink'
import { BlockedShare } from './BlockedShare'
import { draftOf } from './draft'
import { SiteForm } from './SiteForm'

export const metadata: Metadata = { title: 'Site' }

/** The site's appearance, links and identification of visitors. */
export async function SitePage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer, role } = await openProject((await params).project)
  const { sites, published, numbers: postNumbers } = getProduct().posts
  const read = await tryRead(() => sites.read(project.id, viewer))
  if (!read.allowed) return <NotAllowed why={read.why} />

  const blockedShare = await tryRead(() => postNumbers.blocked(project.id, '30d', viewer))
  const { slug, name } = project
  const site = read.found
  return (
    <Page
      title="Site"
      breadcrumbs={[{ label: name, href: paths.project(slug) }]}
      tabs={<PostTabs slug={slug} current="site" />}
      actions={<SiteLink origin={published.openableOrigin(site)} />}
    >
      <SiteForm
        slug={slug}
        projectName={name}
        origin={site.origin}
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
