import type { Metadata } from 'next'
import { describePage } from '../../../describe-page'
import { describeMissing, Missing } from '../../../Missing'
import { seriesOf } from '../../../neighbours'
import { openSite, written } from '../../../open-site'
import { PostsPage } from '../../../PostsPage'
import { wordsIn } from '../../../words'

interface SeriesRequest {
  params: Promise<{ series: string }>
}

export async function generateMetadata(request: SeriesRequest): Promise<Metadata> {
  const { open, name, path } = await seriesAsked(request)
  if (name === undefined) return describeMissing
  return describePage(open.site, { title: name, description: '', path })
}

export default async function SeriesPage(request: SeriesRequest) {
  const { open, posts, name, path } = await seriesAsked(request)
  if (name === undefined) return <Missing site={open.site} />
  const words = wordsIn(open.site.language)
  const list = { things: posts, page: 1, pages: 1 }
  return (
    <PostsPage
      open={open}
      list={list}
      path={path}
      mark={words.series}
      title={name}
      words={words.found(posts.length)}
    />
  )
}

async function seriesAsked({ params }: SeriesRequest) {
  const slug = written((await params).series)
  const open = openSite()
  const posts = seriesOf(open.published.posts(open.site.projectId, open.now), slug)
  return { open, posts, name: posts[0]?.series, path: `/blog/series/${slug}` }
}
