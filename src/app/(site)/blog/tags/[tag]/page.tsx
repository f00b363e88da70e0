import type { Metadata } from 'next'
import { slugOf } from '../../../../../posts/post'
import { type Asked, one } from '../../../asked'
import { describeList, feedsBelow } from '../../../describe-page'
import { describeMissing, Missing } from '../../../Missing'
import { withTag } from '../../../neighbours'
import { openSite, written } from '../../../open-site'
import { paged } from '../../../paging'
import { PostsPage } from '../../../PostsPage'
import { wordsIn } from '../../../words'

interface TagRequest {
  params: Promise<{ tag: string }>
  searchParams: Promise<Asked>
}

export async function generateMetadata(request: TagRequest): Promise<Metadata> {
  const { open, list, tag, path } = await tagAsked(request)
  if (!tag || !list) return describeMissing
  const title = wordsIn(open.site.language).postsOn(tag)
  return describeList(open.site, { title, description: '', path, feeds: feedsBelow(path) }, list)
}

export default async function TagPage(request: TagRequest) {
  const { open, list, tag, path } = await tagAsked(request)
  if (!tag || !list) return <Missing site={open.site} />
  return <PostsPage open={open} list={list} path={path} mark={wordsIn(open.site.language).tags} title={tag} />
}

async function tagAsked({ params, searchParams }: TagRequest) {
  const slug = written((await params).tag)
  const { page } = await searchParams
  const open = openSite()
  const posts = withTag(open.published.posts(open.site.projectId, open.now), slug)
  const tag = posts.flatMap(({ tags }) => tags).find((each) => slugOf(each) === slug)
  const list = paged(posts, one(page), open.site.postsPerPage)
  return { open, list, tag, path: `/blog/tags/${slug}` }
}
