import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { openProject, whyNot } from '#studio/parts/open-project'
import type { SearchParams } from '#studio/search-params'
import { NewPostForm } from './NewPostForm'

interface NewPostPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

const kindIn = ({ kind }: SearchParams) => (kind === 'page' ? 'page' : 'post')

export async function generateMetadata({ searchParams }: NewPostPageProps): Promise<Metadata> {
  return { title: `New ${kindIn(await searchParams)}` }
}

export async function NewPostPage({ params, searchParams }: NewPostPageProps) {
  const { project, role } = await openProject((await params).project)
  const { slug, name } = project
  const kind = kindIn(await searchParams)

  return (
    <Page
      title={`New ${kind}`}
      width="reading"
      description={
        kind === 'post'
          ? 'Starts as an unpublished draft.'
          : 'Starts as an unpublished draft with its own URL.'
      }
      breadcrumbs={[
        { label: name, href: paths.project(slug) },
        kind === 'post'
          ? { label: 'Posts', href: paths.posts(slug) }
          : { label: 'Pages', href: paths.pages(slug) },
      ]}
    >
      <NewPostForm slug={slug} kind={kind} whyNot={whyNot('posts:write', role)} />
    </Page>
  )
}
