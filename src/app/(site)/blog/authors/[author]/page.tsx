import type { Metadata } from 'next'
import { authorAddress } from '../../../../../posts/post'
import { type Asked, one } from '../../../asked'
import { AuthorLinks, AuthorPicture } from '../../../AuthorParts'
import { describeList, feedsBelow } from '../../../describe-page'
import { describeMissing, Missing } from '../../../Missing'
import { openSite, written } from '../../../open-site'
import { paged } from '../../../paging'
import { PostsPage } from '../../../PostsPage'
import { wordsIn } from '../../../words'

interface AuthorRequest {
  params: Promise<{ author: string }>
  searchParams: Promise<Asked>
}

export async function generateMetadata(request: AuthorRequest): Promise<Metadata> {
  const { open, list, author, path } = await authorAsked(request)
  if (!author || !list) return describeMissing
  const title = wordsIn(open.site.language).postsBy(author.name)
  const feeds = feedsBelow(path)
  const words = { title, description: author.bio, path, picture: author.picture?.address, feeds }
  return describeList(open.site, words, list)
}

export default async function AuthorPage(request: AuthorRequest) {
  const { open, list, author, path } = await authorAsked(request)
  if (!author || !list) return <Missing site={open.site} />
  return (
    <PostsPage open={open} list={list} path={path} title={author.name} words={author.bio}>
      <AuthorPicture author={author} size={72} />
      <AuthorLinks author={author} />
    </PostsPage>
  )
}

async function authorAsked({ params, searchParams }: AuthorRequest) {
  const slug = written((await params).author)
  const { page } = await searchParams
  const open = openSite()
  const { site, published, now } = open
  const author = published.authors(site.projectId).find((each) => each.slug === slug)
  const posts = published.posts(site.projectId, now).filter(({ authors }) => authors.includes(slug))
  return { open, author, list: paged(posts, one(page), site.postsPerPage), path: authorAddress(slug) }
}
