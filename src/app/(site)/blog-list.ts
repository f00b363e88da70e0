import type { Metadata } from 'next'
import { languageInPath, postsInLanguage } from '#posts/languages'
import type { Post } from '#posts/post'
import { alternatesAt, blog } from './alternates'
import { describeList } from './describe-page'
import type { OpenSite } from './open-site'
import { type PageOfList, pageOfList } from './paging'

export const searchPage = '/blog/search'

/** The newest featured post leads; all others follow with the newest first. */
export function pageOfBlog(
  { site, published, now }: OpenSite,
  pageParam: string | undefined,
): PageOfList<Post> | undefined {
  const posts = postsInLanguage(published.posts(site.projectId, now, 'order'), site)
  const lead = posts.find(({ isFeatured }) => isFeatured)
  const inOrder = lead ? [lead, ...posts.filter((post) => post !== lead)] : posts
  return pageOfList(inOrder, pageParam, site.postsPerPage)
}

/** The blog's title in the site's own navigation. */
export const titleOfBlog = ({ navigation }: OpenSite['site']): string =>
  navigation.find(({ address }) => address === blog || languageInPath(address) !== undefined)?.label ?? 'Blog'

export const describeBlog = (open: OpenSite, list: PageOfList<Post>, path = blog): Metadata => {
  const { site } = open
  // further pages of a list have no counterparts in other languages
  const alternates = list.page === 1 ? alternatesAt(path, open) : []
  return describeList(
    site,
    { title: titleOfBlog(site), description: site.description, path, alternates },
    list,
  )
}
