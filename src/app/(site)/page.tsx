import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { postsInLanguage } from '#posts/languages'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { type SearchParams, firstValue } from '#studio/search-params'
import { describePage, titlesOf } from './describe-page'
import { describePost } from './describe-post'
import { entriesOf } from './list-entries'
import { findPost } from './find-post'
import { ListHead } from './ListHead'
import { EmptyPage } from './EmptyPage'
import { currentSite, type OpenSite, openSite } from './open-site'
import { PageArticle } from './PageArticle'
import { kitPostOf } from './kit/kit-post'
import { siteForKit } from './kit/site-for-kit'
import { WithLayout } from './kit/WithLayout'
import { describeKitPage, KitPage, kitPageAt } from './kit/KitPage'
import { LeadPost, PostList } from './PostList'
import { translationFor } from './translations'

interface HomeRequest {
  searchParams: Promise<SearchParams>
}

export async function generateMetadata(request: HomeRequest): Promise<Metadata> {
  const kitPage = kitPageAt('/')
  if (kitPage) return await describeKitPage(kitPage, '/')
  const { open, home } = await openHome(request)
  if (home) return describePost(home)
  const description = open.site.description || titlesOf(newestPosts(open))
  return describePage(open.site, { title: '', description, path: '/' })
}

export default async function Home(request: HomeRequest) {
  const kitPage = kitPageAt('/')
  if (kitPage) return <KitPage page={kitPage} />
  const { open, home } = await openHome(request)
  return home ? <PageArticle {...home} /> : <NewestPosts open={open} />
}

async function openHome({ searchParams }: HomeRequest) {
  const { preview } = await searchParams
  if (!currentSite() && (await getProduct().signIn.setup.isNeeded())) redirect(paths.setup)
  const open = openSite()
  return { open, home: await findPost(open, 'page', '', firstValue(preview)) }
}

const newestPosts = ({ site, published, now }: OpenSite) =>
  postsInLanguage(published.posts(site.projectId, now, 'order'), site).slice(0, site.postsPerPage)

/** The front page of a site that has no home page of its own. */
async function NewestPosts({ open }: { open: OpenSite }) {
  const { site } = open
  const entries = await entriesOf(newestPosts(open), open)
  const [first, ...others] = entries
  if (!first) return <EmptyPage title={site.name} advice={translationFor(site).nothingYet} leadsToStudio />

  const posts = (
    <>
      <LeadPost entry={first} look={site} level="h3" />
      {others.length > 0 && <PostList entries={others} look={site} level="h3" isBelow />}
    </>
  )
  return (
    <WithLayout
      name="home"
      props={{ site: siteForKit(site), posts: entries.map(kitPostOf) }}
      parts={{ head: <ListHead title={site.name} words={site.description} />, children: posts }}
    />
  )
}
