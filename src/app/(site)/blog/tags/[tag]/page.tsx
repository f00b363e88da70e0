import type { Metadata } from 'next'
import { slugOf } from '#posts/post'
import { type SearchParams, firstValue } from '#studio/search-params'
import { describeList, feedsBelow } from '#app/(site)/describe-page'
import { describeNotFound, NotFoundContent } from '#app/(site)/NotFoundContent'
import { withTag } from '#app/(site)/related-posts'
import { openSite, decodeSlug } from '#app/(site)/open-site'
import { pageOfList } from '#app/(site)/paging'
import { PostsPage } from '#app/(site)/PostsPage'
import { translationFor } from '#app/(site)/translations'

interface TagRequest {
  params: Promise<{ tag: string }>
  searchParams: Promise<SearchParams>
}

export async function generateMetadata(request: TagRequest): Promise<Metadata> {
  const { open, list, tag, path } = await openTag(request)
  if (!tag || !list) return describeNotFound()
  const title = translationFor(open.site).postsOn(tag)
  return describeList(open.site, { title, description: '', path, feeds: feedsBelow(path) }, list)
}

export default async function TagPage(request: TagRequest) {
  const { open, list, tag, path } = await openTag(request)
  if (!tag || !list) return <NotFoundContent site={open.site} />
  return <PostsPage open={open} list={list} path={path} mark={translationFor(open.site).tags} title={tag} />
}

async function openTag({ params, searchParams }: TagRequest) {
  const slug = decodeSlug((await params).tag)
  const { page } = await searchParams
  const open = openSite()
  const posts = withTag(open.published.posts(open.site.projectId, open.now, `tag ${slug}`), slug)
  const tag = posts.flatMap(({ tags }) => tags).find((each) => slugOf(each) === slug)
  const list = pageOfList(posts, firstValue(page), open.site.postsPerPage)
  return { open, list, tag, path: `/blog/tags/${slug}` }
}
