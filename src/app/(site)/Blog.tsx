import type { Post } from '#posts/post'
import { blog, titleOfBlog } from './blog-list'
import { entriesOf } from './list-entries'
import { ListHead } from './ListHead'
import { EmptyPage } from './EmptyPage'
import type { OpenSite } from './open-site'
import { Pager } from './Pager'
import type { PageOfList } from './paging'
import { LeadPost, PostList } from './PostList'
import { SearchForm } from './SearchForm'
import { translationFor } from './translations'

interface BlogListProps {
  open: OpenSite
  list: PageOfList<Post>
}

/** /blog for this visitor, whatever address it was rendered at. */
export function Blog({ open, list }: BlogListProps) {
  const { site } = open
  const title = titleOfBlog(site)
  if (list.things.length === 0)
    return <EmptyPage title={title} advice={translationFor(site.language).nothingYet} leadsToStudio />

  return (
    <main id="content" className="column wide" tabIndex={-1}>
      <ListHead title={title} words={site.description} />
      <Entries open={open} list={list} />
      <Pager list={blog} page={list.page} pages={list.pages} language={site.language} />
      <SearchForm language={site.language} />
    </main>
  )
}

/** The first page begins with a post that is shown larger, if there is one to show. */
async function Entries({ open, list }: BlogListProps) {
  const entries = await entriesOf(list.things, open)
  const [first, ...others] = entries
  const leads = first && list.page === 1 && (first.isFeatured || first.cover)
  if (!leads) return <PostList entries={entries} look={open.site} />

  return (
    <>
      <LeadPost entry={first} look={open.site} />
      {others.length > 0 && <PostList entries={others} look={open.site} isBelow />}
    </>
  )
}
