import type { Metadata } from 'next'
import { type SearchParams, firstValue } from '#studio/search-params'
import { Blog } from '../Blog'
import { describeBlog, pageOfBlog } from '../blog-list'
import { describeNotFound, NotFoundContent } from '../NotFoundContent'
import { openSite } from '../open-site'

interface BlogRequest {
  searchParams: Promise<SearchParams>
}

export async function generateMetadata(request: BlogRequest): Promise<Metadata> {
  const { open, list } = await openBlog(request)
  return list ? describeBlog(open, list) : describeNotFound()
}

export default async function BlogPage(request: BlogRequest) {
  const { open, list } = await openBlog(request)
  return list ? <Blog open={open} list={list} /> : <NotFoundContent site={open.site} />
}

async function openBlog({ searchParams }: BlogRequest) {
  const { page } = await searchParams
  const open = openSite()
  return { open, list: pageOfBlog(open, firstValue(page)) }
}
