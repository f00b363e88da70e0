import { FolderGit2, FlaskConical, Star } from 'lucide-react'
import { addressOf, type Post, stateOf } from '#posts/post'
import { Badge } from '#ui/Badge'
import type { TableColumn } from '#ui/table/column'
import { compact } from '#ui/format'
import { Icon } from '#ui/Icon'
import { Skeleton } from '#ui/page/Skeleton'
import { Table } from '#ui/table/Table'
import { paths } from '#studio/paths'
import { type Clock, CalendarDate, RelativeTime } from '#studio/parts/RelativeTime'
import { RestorePost } from './RestorePost'
import { PostLink } from './SiteLink'
import { StateBadge, UnpublishedBadge } from './StateBadge'

/** The number of readers in the last 30 days, by address of the post. */
export type ReaderNumbers = ReadonlyMap<string, { readers: number; views: number }>

interface PostsTableProps {
  slug: string
  posts: readonly Post[]
  clock: Clock
  whyNot: string | undefined
  /** The origin of the site; undefined while it is turned off. */
  origin: string | undefined
  /** Undefined while counting; 'unknown' while the engine is unavailable. */
  readers: ReaderNumbers | 'unknown' | undefined
}

export function PostsTable(props: PostsTableProps) {
  const { slug, posts } = props
  return (
    <Table
      caption="Posts"
      columns={columnsFor(props)}
      rows={posts}
      rowKey={({ id }) => id}
      rowHref={({ id }) => paths.post(slug, id)}
      empty={<p className="px-4 py-10 text-center text-muted">No posts match these filters.</p>}
      actions={
        posts.some((post) => stateOf(post, props.clock.now) !== 'draft') ? actionFor(props) : undefined
      }
    />
  )
}

const actionFor =
  ({ slug, whyNot, origin, clock }: PostsTableProps) =>
  (post: Post) => {
    const { id, title } = post
    const state = stateOf(post, clock.now)
    if (state === 'archived') return <RestorePost slug={slug} id={id} title={title} whyNot={whyNot} />
    return state === 'published' && origin !== undefined && <PostLink origin={origin} post={post} />
  }

const columnsFor = ({ clock, readers }: PostsTableProps): TableColumn<Post>[] => [
  { key: 'title', header: 'Title', truncate: true, cell: (post) => <Title post={post} now={clock.now} /> },
  {
    key: 'state',
    header: 'State',
    width: '7rem',
    cell: (post) => <StateBadge state={stateOf(post, clock.now)} />,
  },
  {
    key: 'date',
    header: 'Date',
    wideOnly: true,
    width: '8rem',
    cell: (post) => <PostDate post={post} clock={clock} />,
  },
  {
    key: 'readers',
    header: 'Readers, 30 days',
    numeric: true,
    wideOnly: true,
    width: '9rem',
    cell: (post) => <ReaderCount post={post} now={clock.now} readers={readers} />,
  },
]

function Title({ post, now }: { post: Post; now: Date }) {
  const { title, tags, isFeatured, source, trial } = post
  return (
    <span className="block py-0.5">
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate font-medium">{title}</span>
        {isFeatured && <Icon of={Star} size="sm" label="Featured" className="text-warning" />}
        {source === 'folder' && <Badge icon={<Icon of={FolderGit2} size="sm" />}>Folder</Badge>}
        {trial?.state.name === 'running' && (
          <Badge tone="info" icon={<Icon of={FlaskConical} size="sm" />}>
            Testing headlines
          </Badge>
        )}
        {hasUnpublishedChanges(post, now) && <UnpublishedBadge />}
      </span>
      <span className="flex min-w-0 items-center gap-1.5 text-xs font-normal text-muted">
        <span className="truncate">{addressOf(post)}</span>
        {tags.slice(0, 3).map((tag) => (
          <span key={tag} className="max-md:hidden">
            <Badge>{tag}</Badge>
          </span>
        ))}
      </span>
    </span>
  )
}

const hasUnpublishedChanges = (post: Post, now: Date): boolean =>
  post.unpublished !== undefined && stateOf(post, now) === 'published'

/** The date of publication, past or planned, else that of the last change. */
function PostDate({ post: { publishedAt, changedAt }, clock }: { post: Post; clock: Clock }) {
  if (publishedAt) return <CalendarDate at={publishedAt} clock={clock} />
  return (
    <span className="text-muted">
      Changed <RelativeTime at={changedAt} clock={clock} />
    </span>
  )
}

function ReaderCount({ post, now, readers }: { post: Post; now: Date; readers: PostsTableProps['readers'] }) {
  if (stateOf(post, now) !== 'published') return <span className="text-faint">–</span>
  if (readers === undefined) return <Skeleton className="ml-auto h-3.5 w-10" />
  if (readers === 'unknown') return <span className="text-faint">–</span>
  return compact(readers.get(addressOf(post))?.readers ?? 0)
}
