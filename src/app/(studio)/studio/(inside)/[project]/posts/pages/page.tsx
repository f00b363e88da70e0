import type { Metadata } from 'next'
import type { Search } from '../../people/question'
import { PostsPage } from '../PostsPage'

export const metadata: Metadata = { title: 'Pages' }

interface PagesProps {
  params: Promise<{ project: string }>
  searchParams: Promise<Search>
}

export default async function PagesPage(props: PagesProps) {
  return await PostsPage({ kind: 'page', ...props })
}
