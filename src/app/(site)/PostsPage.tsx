import type { ReactNode } from 'react'
import type { Post } from '#posts/post'
import { entriesOf } from './list-entries'
import { ListHead } from './ListHead'
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
  return (
    <main id="content" className="column wide" tabIndex={-1}>
      <ListHead title={title} words={words} mark={mark}>
        {children}
      </ListHead>
      <PostList entries={await entriesOf(list.things, open)} look={open.site} />
      <Pager list={path} page={list.page} pages={list.pages} language={open.site.language} />
    </main>
  )
}
