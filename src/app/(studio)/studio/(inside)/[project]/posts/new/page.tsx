import type { Metadata } from 'next'
import { Page } from '../../../../../../../ui/Page'
import { paths } from '../../../../../../paths'
import { openProject, whyNot } from '../../../../../open-project'
import type { Search } from '../../people/question'
import { NewPostForm } from './NewPostForm'

interface NewPostPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<Search>
}

const kindIn = ({ kind }: Search) => (kind === 'page' ? 'page' : 'post')

export async function generateMetadata({ searchParams }: NewPostPageProps): Promise<Metadata> {
  return { title: `New ${kindIn(await searchParams)}` }
}

export default async function NewPostPage({ params, searchParams }: NewPostPageProps) {
  const { project, role } = await openProject((await params).project)
  const { slug, name } = project
  const kind = kindIn(await searchParams)

  return (
    <Page
      title={`New ${kind}`}
      width="reading"
      description={
        kind === 'post'
          ? 'It begins as a draft that nobody else sees.'
          : 'It begins as a draft that nobody else sees. It stands at an address of its own.'
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
