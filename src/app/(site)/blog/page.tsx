import type { Metadata } from 'next'
import { type Asked, one } from '../asked'
import { Blog } from '../Blog'
import { describeBlog, pageOfBlog } from '../blog-list'
import { describeMissing, Missing } from '../Missing'
import { openSite } from '../open-site'

interface BlogRequest {
  searchParams: Promise<Asked>
}

export async function generateMetadata(request: BlogRequest): Promise<Metadata> {
  const { open, list } = await blogAsked(request)
  return list ? describeBlog(open, list) : describeMissing
}

export default async function BlogPage(request: BlogRequest) {
  const { open, list } = await blogAsked(request)
  return list ? <Blog open={open} list={list} /> : <Missing site={open.site} />
}

async function blogAsked({ searchParams }: BlogRequest) {
  const { page } = await searchParams
  const open = openSite()
  return { open, list: pageOfBlog(open, one(page)) }
}
