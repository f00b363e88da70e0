import { type DocContents, docContents } from '#posts/doc-contents'
import { mainLanguageOf } from '#posts/languages'
import type { Post } from '#posts/post'
import type { OpenSite } from './open-site'
import { showsContents } from './themes'

/** The other pages in the folder of a page, if the theme shows them. */
export function contentsAt(page: Post, { site, published, now }: OpenSite): DocContents | undefined {
  if (page.kind !== 'page' || !showsContents(site)) return undefined
  return docContents(page, published.pages(site.projectId, now, 'contents'), mainLanguageOf(site))
}
