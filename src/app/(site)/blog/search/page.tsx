import type { Metadata } from 'next'
import { type SearchParams, firstValue } from '#studio/search-params'
import { describePage } from '../../describe-page'
import { searchPages } from '../../kit/listed-pages'
import { entriesOf } from '../../list-entries'
import { ListHead } from '../../ListHead'
import { type OpenSite, openSite } from '../../open-site'
import { PostList } from '../../PostList'
import { SearchForm } from '../../SearchForm'
import { translationFor } from '../../translations'

interface SearchRequest {
  searchParams: Promise<SearchParams>
}

const maxResults = 50
/** Pages of the site folder, of which a site has few, stand before its posts. */
const maxPagesFirst = 5

export function generateMetadata(): Metadata {
  const { site } = openSite()
  const title = translationFor(site).searchFor
  return describePage(site, { title, description: '', path: '/blog/search', isHidden: true })
}

export default async function SearchPage({ searchParams }: SearchRequest) {
  const open = openSite()
  const searchText = firstValue((await searchParams).q)
    ?.trim()
    .slice(0, 200)
  const { searchFor } = translationFor(open.site)
  return (
    <main id="content" className="column wide" tabIndex={-1}>
      <ListHead title={searchFor} />
      <SearchForm site={open.site} asked={searchText} />
      {searchText && <SearchResults open={open} asked={searchText} />}
    </main>
  )
}

async function SearchResults({ open, asked: searchText }: { open: OpenSite; asked: string }) {
  // search terms hardly repeat
  open.visit.doNotCache()
  const { site, prepared, now } = open
  const [pages, posts] = await Promise.all([
    searchPages(searchText, open),
    prepared.search(site.projectId, searchText, now),
  ])
  const shownPosts = await entriesOf(posts.slice(0, maxResults), open)
  const entries = [...pages.slice(0, maxPagesFirst), ...shownPosts, ...pages.slice(maxPagesFirst)].slice(
    0,
    maxResults,
  )
  const words = translationFor(site)
  if (entries.length === 0) return <p className="lead-words">{words.foundNothing}</p>

  return (
    <>
      <h2 className="found">{words.results(entries.length)}</h2>
      <PostList entries={entries} look={site} level="h3" />
    </>
  )
}
