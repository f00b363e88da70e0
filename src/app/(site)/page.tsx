import type { Metadata } from 'next'
import { type SearchParams, firstValue } from './search-params'
import { blog } from './blog-list'
import { describePage } from './describe-page'
import { describePost } from './describe-post'
import { entriesOf } from './list-entries'
import { findPost } from './find-post'
import { ListHead } from './ListHead'
import { EmptyPage } from './EmptyPage'
import { type OpenSite, openSite } from './open-site'
import { PageArticle } from './PageArticle'
import { LeadPost, PostList } from './PostList'
import { translationFor } from './translations'

interface HomeRequest {
  searchParams: Promise<SearchParams>
}

export async function generateMetadata(request: HomeRequest): Promise<Metadata> {
  const { open, home } = await openHome(request)
  if (home) return describePost(home)
  const { description } = open.site
  return describePage(open.site, { title: '', description, path: '/' })
}

export default async function Home(request: HomeRequest) {
  const { open, home } = await openHome(request)
  return home ? <PageArticle {...home} /> : <NewestPosts open={open} />
}

async function openHome({ searchParams }: HomeRequest) {
  const { preview } = await searchParams
  const open = openSite()
  return { open, home: await findPost(open, 'page', '', firstValue(preview)) }
}

/** The front page of a site that has no home page of its own. */
async function NewestPosts({ open }: { open: OpenSite }) {
  const { site, published, now } = open
  const newest = published.posts(site.projectId, now).slice(0, site.postsPerPage)
  const [first, ...others] = await entriesOf(newest, open)
  const words = translationFor(site.language)
  if (!first) return <EmptyPage title={site.name} advice={words.nothingYet} leadsToStudio />

  return (
    <main id="content" className="column wide" tabIndex={-1}>
      <ListHead title={site.name} words={site.description} />
      <h2 className="unseen">{words.newestPosts}</h2>
      <LeadPost entry={first} look={site} level="h3" />
      {others.length > 0 && <PostList entries={others} look={site} level="h3" isBelow />}
      <p className="onward">
        <a href={blog}>{words.allPosts}</a>
      </p>
    </main>
  )
}
