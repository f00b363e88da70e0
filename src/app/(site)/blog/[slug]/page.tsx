import type { Metadata } from 'next'
import { getProduct } from '../../../product'
import { type Asked, one } from '../../asked'
import { describePost } from '../../describe-post'
import { openPost } from '../../find-post'
import { describeMissing, Missing } from '../../Missing'
import { written } from '../../open-site'
import { PostArticle } from '../../PostArticle'

interface PostRequest {
  params: Promise<{ slug: string }>
  searchParams: Promise<Asked>
}

export async function generateMetadata(request: PostRequest): Promise<Metadata> {
  const { found } = await postAsked(request)
  return found ? describePost(found) : describeMissing
}

export default async function PostPage(request: PostRequest) {
  const { open, found } = await postAsked(request)
  if (!found) return <Missing site={open.site} />
  return <PostArticle {...found} comments={await getProduct().comments.below(found.post)} />
}

async function postAsked({ params, searchParams }: PostRequest) {
  const { slug } = await params
  const { preview } = await searchParams
  return await openPost('post', written(slug), one(preview))
}
