import type { Metadata } from 'next'
import type { PeopleSearchParams } from '#studio/people/question'
import { PostsPage } from '#studio/posts/PostsPage'

export const metadata: Metadata = { title: 'Posts' }

interface StudioPostsPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<PeopleSearchParams>
}

export default async function BlogPage(props: StudioPostsPageProps) {
  return await PostsPage({ kind: 'post', ...props })
}
