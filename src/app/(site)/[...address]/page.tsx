import type { Metadata } from 'next'
import { type Asked, one } from '../asked'
import { describePost } from '../describe-post'
import { openPost } from '../find-post'
import { describeMissing, Missing } from '../Missing'
import { written } from '../open-site'
import { PageArticle } from '../PageArticle'

interface AddressRequest {
  params: Promise<{ address: string[] }>
  searchParams: Promise<Asked>
}

export async function generateMetadata(request: AddressRequest): Promise<Metadata> {
  const { found } = await pageAsked(request)
  return found ? describePost(found) : describeMissing
}

/** Whatever else has an address: a page, or nothing. */
export default async function OtherPage(request: AddressRequest) {
  const { open, found } = await pageAsked(request)
  return found ? <PageArticle {...found} /> : <Missing site={open.site} />
}

async function pageAsked({ params, searchParams }: AddressRequest) {
  const { address } = await params
  const { preview } = await searchParams
  return await openPost('page', address.map(written).join('/'), one(preview))
}
