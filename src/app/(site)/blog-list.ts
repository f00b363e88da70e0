import type { Metadata } from 'next'
import type { Post } from '#posts/post'
import { describeList } from './describe-page'
import type { OpenSite } from './open-site'
import { type PageOfList, pageOfList } from './paging'

export const blog = '/blog'
export const searchPage = '/blog/search'

/** Featured posts stand before all others; otherwise the newest is first. */
export function pageOfBlog(
  { site, published, now }: OpenSite,
  pageParam: string | undefined,
): PageOfList<Post> | undefined {
  const posts = published.posts(site.projectId, now)
  const featured = posts.filter(({ isFeatured }) => isFeatured)
  const others = posts.filter(({ isFeatured }) => !isFeatured)
  return pageOfList([...featured, ...others], pageParam, site.postsPerPage)
}

/** The blog's title in the site's own navigation. */
export const titleOfBlog = ({ navigation }: OpenSite['site']): string =>
  navigation.find(({ address }) => address === blog)?.label ?? 'Blog'

export const describeBlog = ({ site }: OpenSite, list: PageOfList<Post>): Metadata =>
  describeList(site, { title: titleOfBlog(site), description: site.description, path: blog }, list)
