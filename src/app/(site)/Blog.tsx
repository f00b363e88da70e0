import type { Post } from '../../posts/post'
import { blog, titleOfBlog } from './blog-list'
import { entriesOf } from './entries'
import { ListHead } from './ListHead'
import { NothingYet } from './NothingYet'
import type { OpenSite } from './open-site'
import { Pager } from './Pager'
import type { Paged } from './paging'
import { LeadPost, PostList } from './PostList'
import { SearchForm } from './SearchForm'
import { wordsIn } from './words'

interface BlogProps {
  open: OpenSite
  list: Paged<Post>
}

/** /blog as this visitor sees it, whatever address it was rendered at. */
export function Blog({ open, list }: BlogProps) {
  const { site } = open
  const title = titleOfBlog(site)
  if (list.things.length === 0)
    return <NothingYet title={title} advice={wordsIn(site.language).nothingYet} leadsToStudio />

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
function Entries({ open, list }: BlogProps) {
  const entries = entriesOf(list.things, open)
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
