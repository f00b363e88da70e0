import type { Post } from '#posts/post'
import { blog } from './alternates'
import { titleOfBlog } from './blog-list'
import { kitPostOf } from './kit/kit-post'
import { siteForKit } from './kit/site-for-kit'
import { WithLayout } from './kit/WithLayout'
import { entriesOf, type ListEntry } from './list-entries'
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
  /** The address of the list in the language of the page. */
  path?: string
  list: PageOfList<Post>
}

/** /blog for this visitor, whatever address it was rendered at. */
export async function Blog({ open, list, path = blog }: BlogListProps) {
  const { site } = open
  const title = titleOfBlog(site)
  if (list.things.length === 0)
    return <EmptyPage title={title} advice={translationFor(site).nothingYet} leadsToStudio />

  const entries = await entriesOf(list.things, open)
  const posts = <Entries entries={entries} look={site} page={list.page} />
  const pager = <Pager list={path} page={list.page} pages={list.pages} site={site} />
  const { description } = site
  return (
    <WithLayout
      name="list"
      props={{ site: siteForKit(site), title, description, posts: entries.map(kitPostOf) }}
      parts={{
        head: <ListHead title={title} words={description} />,
        children: posts,
        pager,
        search: <SearchForm site={site} />,
      }}
    />
  )
}

interface EntriesProps {
  entries: readonly ListEntry[]
  look: OpenSite['site']
  page: number
}

/** The first page begins with a post that is shown larger, if there is one to show. */
function Entries({ entries, look, page }: EntriesProps) {
  const [first, ...others] = entries
  const leads = first && page === 1 && (first.isFeatured || first.cover)
  if (!leads) return <PostList entries={entries} look={look} />

  return (
    <>
      <LeadPost entry={first} look={look} />
      {others.length > 0 && <PostList entries={others} look={look} isBelow />}
    </>
  )
}
