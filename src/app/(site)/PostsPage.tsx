import type { ReactNode } from 'react'
import type { Post } from '#posts/post'
import { entriesOf } from './list-entries'
import { ListHead } from './ListHead'
import { kitPostOf } from './kit/kit-post'
import { siteForKit } from './kit/site-for-kit'
import { WithLayout } from './kit/WithLayout'
import type { OpenSite } from './open-site'
import { Pager } from './Pager'
import type { PageOfList } from './paging'
import { PostList } from './PostList'

interface PublicPostsPageProps {
  open: OpenSite
  list: PageOfList<Post>
  path: string
  title: string
  words?: string
  mark?: string
  /** Stands between the title and the posts. */
  children?: ReactNode
}

/** Posts that have something in common. */
export async function PostsPage({ open, list, path, title, words, mark, children }: PublicPostsPageProps) {
  const { site } = open
  const entries = await entriesOf(list.things, open)
  const posts = <PostList entries={entries} look={site} />
  const head = (
    <ListHead title={title} words={words} mark={mark}>
      {children}
    </ListHead>
  )
  const pager = <Pager list={path} page={list.page} pages={list.pages} site={site} />
  return (
    <WithLayout
      name="list"
      props={{ site: siteForKit(site), title, description: words ?? '', posts: entries.map(kitPostOf) }}
      parts={{ head, children: posts, pager, search: undefined }}
    />
  )
}
