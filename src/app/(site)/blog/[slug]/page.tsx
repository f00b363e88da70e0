import type { Metadata } from 'next'
import { getProduct } from '#studio/product'
import { type SearchParams, firstValue } from '#studio/search-params'
import { describePost } from '../../describe-post'
import { openPost } from '../../find-post'
import { describeNotFound, NotFoundContent } from '../../NotFoundContent'
import { decodeSlug } from '../../open-site'
import { PostArticle } from '../../PostArticle'

interface PostRequest {
  params: Promise<{ slug: string }>
  searchParams: Promise<SearchParams>
}

export async function generateMetadata(request: PostRequest): Promise<Metadata> {
  const { found } = await openRequestedPost(request)
  return found ? describePost(found) : describeNotFound()
}

export default async function PostPage(request: PostRequest) {
  const { open, found } = await openRequestedPost(request)
  if (!found) return <NotFoundContent site={open.site} />
  if (found.post.allowsComments) open.visit.noteContent('comments', 'live')
  return <PostArticle {...found} comments={await getProduct().posts.comments.below(found.post)} />
}

async function openRequestedPost({ params, searchParams }: PostRequest) {
  const { slug } = await params
  const { preview } = await searchParams
  return await openPost('post', decodeSlug(slug), firstValue(preview))
}
