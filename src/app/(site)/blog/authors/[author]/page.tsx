import type { Metadata } from 'next'
import { authorAddress } from '#posts/post'
import { type SearchParams, firstValue } from '#studio/search-params'
import { AuthorLinks, AuthorPicture } from '#app/(site)/AuthorParts'
import { describeList, feedsBelow } from '#app/(site)/describe-page'
import { describeNotFound, NotFoundContent } from '#app/(site)/NotFoundContent'
import { openSite, decodeSlug } from '#app/(site)/open-site'
import { pageOfList } from '#app/(site)/paging'
import { PostsPage } from '#app/(site)/PostsPage'
import { translationFor } from '#app/(site)/translations'

interface AuthorRequest {
  params: Promise<{ author: string }>
  searchParams: Promise<SearchParams>
}

export async function generateMetadata(request: AuthorRequest): Promise<Metadata> {
  const { open, list, author, path } = await openAuthor(request)
  if (!author || !list) return describeNotFound()
  const title = translationFor(open.site).postsBy(author.name)
  const feeds = feedsBelow(path)
  const words = { title, description: author.bio, path, picture: author.picture?.address, feeds }
  return describeList(open.site, words, list)
}

export default async function AuthorPage(request: AuthorRequest) {
  const { open, list, author, path } = await openAuthor(request)
  if (!author || !list) return <NotFoundContent site={open.site} />
  return (
    <PostsPage open={open} list={list} path={path} title={author.name} words={author.bio}>
      <AuthorPicture author={author} size={72} />
      <AuthorLinks author={author} />
    </PostsPage>
  )
}

async function openAuthor({ params, searchParams }: AuthorRequest) {
  const slug = decodeSlug((await params).author)
  const { page } = await searchParams
  const open = openSite()
  const { site, published, now } = open
  const author = published.authors(site.projectId).find((each) => each.slug === slug)
  const posts = published
    .posts(site.projectId, now, `author ${slug}`)
    .filter(({ authors }) => authors.includes(slug))
  return {
    open,
    author,
    list: pageOfList(posts, firstValue(page), site.postsPerPage),
    path: authorAddress(slug),
  }
}
