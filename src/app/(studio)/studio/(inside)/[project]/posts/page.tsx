import type { Metadata } from 'next'
import type { Search } from '../people/question'
import { PostsPage } from './PostsPage'

export const metadata: Metadata = { title: 'Posts' }

interface BlogProps {
  params: Promise<{ project: string }>
  searchParams: Promise<Search>
}

export default async function BlogPage(props: BlogProps) {
  return await PostsPage({ kind: 'post', ...props })
}
