import type { Metadata } from 'next'
import type { PeopleSearchParams } from '#studio/people/question'
import { PostsPage } from '#studio/posts/PostsPage'

export const metadata: Metadata = { title: 'Pages' }

interface PagesProps {
  params: Promise<{ project: string }>
  searchParams: Promise<PeopleSearchParams>
}

export default async function PagesPage(props: PagesProps) {
  return await PostsPage({ kind: 'page', ...props })
}
