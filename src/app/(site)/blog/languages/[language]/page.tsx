import type { Metadata } from 'next'
import { languageAddress } from '#posts/languages'
import { Blog } from '#app/(site)/Blog'
import { describeBlog, pageOfBlog } from '#app/(site)/blog-list'
import { describeNotFound, NotFoundContent } from '#app/(site)/NotFoundContent'
import { openSite } from '#app/(site)/open-site'
import { type SearchParams, firstValue } from '#studio/search-params'

interface LanguageRequest {
  searchParams: Promise<SearchParams>
}

export async function generateMetadata(request: LanguageRequest): Promise<Metadata> {
  const { open, list, path } = await openLanguage(request)
  return list ? describeBlog(open, list, path) : describeNotFound()
}

/** The blog in a language other than that of the site. The site is open in the language of the address. */
export default async function LanguagePage(request: LanguageRequest) {
  const { open, list, path } = await openLanguage(request)
  return list ? <Blog open={open} list={list} path={path} /> : <NotFoundContent site={open.site} />
}

async function openLanguage({ searchParams }: LanguageRequest) {
  const { page } = await searchParams
  const open = openSite()
  const found = open.site.mainLanguage === undefined ? undefined : pageOfBlog(open, firstValue(page))
  const list = found && found.things.length > 0 ? found : undefined
  return { open, list, path: languageAddress(open.site.language) }
}
