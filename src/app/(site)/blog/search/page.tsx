import type { Metadata } from 'next'
import { type Asked, one } from '../../asked'
import { describePage } from '../../describe-page'
import { entriesOf } from '../../entries'
import { ListHead } from '../../ListHead'
import { type OpenSite, openSite } from '../../open-site'
import { PostList } from '../../PostList'
import { SearchForm } from '../../SearchForm'
import { wordsIn } from '../../words'

interface SearchRequest {
  searchParams: Promise<Asked>
}

const mostFound = 50

export function generateMetadata(): Metadata {
  const { site } = openSite()
  const title = wordsIn(site.language).searchFor
  return describePage(site, { title, description: '', path: '/blog/search', isHidden: true })
}

export default async function SearchPage({ searchParams }: SearchRequest) {
  const open = openSite()
  const asked = one((await searchParams).q)
    ?.trim()
    .slice(0, 200)
  const { searchFor } = wordsIn(open.site.language)
  return (
    <main id="content" className="column wide" tabIndex={-1}>
      <ListHead title={searchFor} />
      <SearchForm language={open.site.language} asked={asked} />
      {asked && <Found open={open} asked={asked} />}
    </main>
  )
}

function Found({ open, asked }: { open: OpenSite; asked: string }) {
  // nobody else asks the same
  open.visit.keepNot()
  const { site, published, now } = open
  const posts = published.search(site.projectId, asked, now).slice(0, mostFound)
  const words = wordsIn(site.language)
  if (posts.length === 0) return <p className="lead-words">{words.foundNothing}</p>

  return (
    <>
      <h2 className="found">{words.found(posts.length)}</h2>
      <PostList entries={entriesOf(posts, open)} look={site} level="h3" />
    </>
  )
}
