import type { Metadata } from 'next'
import type { SearchParams } from '#studio/search-params'
import { PostsPage } from './PostsPage'

export const metadata: Metadata = { title: 'Posts' }

interface StudioPostsPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

export async function BlogPage(props: StudioPostsPageProps) {
  return await PostsPage({ kind: 'post', ...props })
}
