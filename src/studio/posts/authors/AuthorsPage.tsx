import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { PostTabs } from '../PostTabs'
import { AuthorDialog } from './AuthorDialog'
import { AuthorsTable } from './AuthorsTable'

export const metadata: Metadata = { title: 'Authors' }

/** The authors of posts. They need no account here. */
export async function AuthorsPage({ params }: { params: Promise<{ project: string }> }) {
  const { project, viewer, role } = await openProject((await params).project)
  const { authors, published } = getProduct().posts
  const listed = await tryRead(() => authors.list(project.id, viewer))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, name } = project
  const posts = published.posts(project.id, new Date())
  const reason = whyNot('posts:write', role)
  const create = <AuthorDialog slug={slug} whyNot={reason} />
  return (
    <Page
      title="Authors"
      description="Each author has a page with their posts. Authors need no account."
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        { label: 'Posts', href: paths.posts(slug) },
      ]}
      tabs={<PostTabs slug={slug} current="posts" />}
      actions={listed.found.length > 0 && create}
    >
      <Panel flush>
        <AuthorsTable
          slug={slug}
          rows={listed.found.map((author) => ({
            author,
            posts: posts.filter(({ authors: of }) => of.includes(author.slug)).length,
          }))}
          whyNot={reason}
          create={create}
        />
      </Panel>
    </Page>
  )
}
