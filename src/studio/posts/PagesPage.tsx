import type { Metadata } from 'next'
import type { SearchParams } from '#studio/search-params'
import { PostsPage } from './PostsPage'

export const metadata: Metadata = { title: 'Pages' }

interface PagesProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

export async function PagesPage(props: PagesProps) {
  return await PostsPage({ kind: 'page', ...props })
}
