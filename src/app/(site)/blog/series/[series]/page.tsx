import type { Metadata } from 'next'
import { describePage, titlesOf } from '#app/(site)/describe-page'
import { describeNotFound, NotFoundContent } from '#app/(site)/NotFoundContent'
import { seriesOf } from '#app/(site)/related-posts'
import { openSite, decodeSlug } from '#app/(site)/open-site'
import { PostsPage } from '#app/(site)/PostsPage'
import { translationFor } from '#app/(site)/translations'

interface SeriesRequest {
  params: Promise<{ series: string }>
}

export async function generateMetadata(request: SeriesRequest): Promise<Metadata> {
  const { open, posts, name, path } = await openSeries(request)
  if (name === undefined) return describeNotFound()
  return describePage(open.site, { title: name, description: titlesOf(posts), path })
}

export default async function SeriesPage(request: SeriesRequest) {
  const { open, posts, name, path } = await openSeries(request)
  if (name === undefined) return <NotFoundContent site={open.site} />
  const words = translationFor(open.site)
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

async function openSeries({ params }: SeriesRequest) {
  const slug = decodeSlug((await params).series)
  const open = openSite()
  const posts = seriesOf(open.published.posts(open.site.projectId, open.now, `series ${slug}`), slug)
  return { open, posts, name: posts[0]?.series, path: `/blog/series/${slug}` }
}
