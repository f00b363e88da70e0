import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { PostTabs } from '../PostTabs'
import { NewRedirect } from './NewRedirect'
import { RedirectsTable } from './RedirectsTable'

export const metadata: Metadata = { title: 'Redirects' }

/** Addresses that used to be, and where they lead now. */
export async function RedirectsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer, role } = await openProject((await params).project)
  const listed = await tryRead(() => getProduct().posts.redirects.list(project.id, viewer))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, name } = project
  const reason = whyNot('site:write', role)
  const create = <NewRedirect slug={slug} whyNot={reason} />
  return (
    <Page
      title="Redirects"
      description="Old URLs and their targets. A published post or page takes precedence."
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        { label: 'Design', href: paths.siteSettings(slug) },
      ]}
      tabs={<PostTabs slug={slug} current="design" />}
      actions={listed.found.length > 0 && create}
    >
      <Panel flush>
        <RedirectsTable slug={slug} rows={listed.found} whyNot={reason} create={create} />
      </Panel>
    </Page>
  )
}
