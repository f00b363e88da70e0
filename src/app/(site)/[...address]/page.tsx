import type { Metadata } from 'next'
import { type SearchParams, firstValue } from '#studio/search-params'
import { describePost } from '../describe-post'
import { openPost } from '../find-post'
import { describeNotFound, NotFoundContent } from '../NotFoundContent'
import { decodeSlug } from '../open-site'
import { PageArticle } from '../PageArticle'
import { describeKitPage, KitPage, kitPageAt } from '../kit/KitPage'

interface AddressRequest {
  params: Promise<{ address: string[] }>
  searchParams: Promise<SearchParams>
}

export async function generateMetadata(request: AddressRequest): Promise<Metadata> {
  const path = await pathOf(request)
  const kitPage = kitPageAt(path)
  if (kitPage) return await describeKitPage(kitPage, path)
  const { found } = await openRequestedPage(request)
  return found ? describePost(found) : describeNotFound()
}

/** Other addresses: a page of the site folder, a page of the studio, or nothing. */
export default async function OtherPage(request: AddressRequest) {
  const kitPage = kitPageAt(await pathOf(request))
  if (kitPage) return <KitPage page={kitPage} />
  const { open, found } = await openRequestedPage(request)
  return found ? <PageArticle {...found} /> : <NotFoundContent site={open.site} />
}

const pathOf = async ({ params }: AddressRequest): Promise<string> =>
  `/${(await params).address.map(decodeSlug).join('/')}`

async function openRequestedPage({ params, searchParams }: AddressRequest) {
  const { address } = await params
  const { preview } = await searchParams
  return await openPost('page', address.map(decodeSlug).join('/'), firstValue(preview))
}
