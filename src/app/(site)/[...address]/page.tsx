import type { Metadata } from 'next'
import { type SearchParams, firstValue } from '../search-params'
import { describePost } from '../describe-post'
import { openPost } from '../find-post'
import { describeNotFound, NotFoundContent } from '../NotFoundContent'
import { decodeSlug } from '../open-site'
import { PageArticle } from '../PageArticle'

interface AddressRequest {
  params: Promise<{ address: string[] }>
  searchParams: Promise<SearchParams>
}

export async function generateMetadata(request: AddressRequest): Promise<Metadata> {
  const { found } = await openRequestedPage(request)
  return found ? describePost(found) : describeNotFound
}

/** Whatever else has an address: a page, or nothing. */
export default async function OtherPage(request: AddressRequest) {
  const { open, found } = await openRequestedPage(request)
  return found ? <PageArticle {...found} /> : <NotFoundContent site={open.site} />
}

async function openRequestedPage({ params, searchParams }: AddressRequest) {
  const { address } = await params
  const { preview } = await searchParams
  return await openPost('page', address.map(decodeSlug).join('/'), firstValue(preview))
}
