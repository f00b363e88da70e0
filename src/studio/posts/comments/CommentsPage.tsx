import type { Metadata } from 'next'
import { type Comment, type CommentState, commentStates } from '#posts/comments/comment'
import { LinkTabs } from '#ui/page/LinkTabs'
import { number } from '#ui/format'
import { Page } from '#ui/page/Page'
import { PagePagination } from '#ui/table/Pagination'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { PostTabs } from '../PostTabs'
import { CommentList, type CommentRow } from './CommentList'
import { clockOf } from '#studio/parts/RelativeTime'

export const metadata: Metadata = { title: 'Comments' }

interface CommentsRequest {
  params: Promise<{ project: string }>
  searchParams: Promise<{ show?: string | string[]; page?: string | string[] }>
}

const perPage = 50
const labels = { waiting: 'Waiting', shown: 'Shown', hidden: 'Hidden' } as const satisfies Record<
  CommentState,
  string
>

/** Lists readers' comments. One is published after a member approves it. */
export async function CommentsPage({ params, searchParams }: CommentsRequest) {
  const { project, viewer, role } = await openProject((await params).project)
  const asked = await searchParams
  const state = commentStates.find((one) => one === asked.show) ?? 'waiting'
  const page = Math.max(1, Math.trunc(Number(asked.page)) || 1)
  const { comments } = getProduct().posts
  const listed = await tryRead(async () => ({
    counts: await comments.counts(project.id, viewer),
    rows: await comments.list(project.id, { state, from: (page - 1) * perPage, count: perPage }, viewer),
  }))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, name, timeZone } = project
  const { counts, rows } = listed.found
  return (
    <Page
      title="Comments"
      description="Comments are published after you approve them."
      breadcrumbs={[{ label: name, href: paths.project(slug) }]}
      tabs={<PostTabs slug={slug} current="comments" />}
    >
      <LinkTabs
        label="Comments by state"
        tabs={commentStates.map((one) => ({
          label: `${labels[one]} ${number(counts[one])}`,
          href: paths.comments(slug, { show: one === 'waiting' ? undefined : one }),
          current: one === state,
        }))}
      />
      <Panel flush>
        <CommentList
          slug={slug}
          state={state}
          rows={rows.map((comment) => rowOf(comment, project.id))}
          clock={clockOf({ timeZone })}
          whyNot={whyNot('posts:write', role)}
        />
      </Panel>
      {counts[state] > perPage && (
        <PagePagination
          label="Pages of comments"
          page={page}
          pages={Math.ceil(counts[state] / perPage)}
          href={(to) => paths.comments(slug, { show: state, page: to })}
        />
      )}
    </Page>
  )
}

/** Adds the commented post, if it is still published. */
function rowOf(comment: Comment, projectId: number): CommentRow {
  const { published } = getProduct().posts
  const post = published.posts(projectId, new Date()).find(({ id }) => id === comment.postId)
  return { comment, post: post && { id: post.id, title: post.title } }
}
