import type { Metadata } from 'next'
import { type Comment, type CommentState, commentStates } from '../../../../../../../posts/comment'
import { LinkTabs } from '../../../../../../../ui/LinkTabs'
import { number } from '../../../../../../../ui/format'
import { Page } from '../../../../../../../ui/Page'
import { PagePagination } from '../../../../../../../ui/Pagination'
import { Panel } from '../../../../../../../ui/Panel'
import { paths } from '../../../../../../paths'
import { getProduct } from '../../../../../../product'
import { NotAllowed } from '../../../../../NotAllowed'
import { openProject, whyNot } from '../../../../../open-project'
import { reading } from '../../../../../refusals'
import { PostTabs } from '../PostTabs'
import { CommentList, type CommentRow } from './CommentList'

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

/** What readers wrote. Nobody else reads it before a member has let it in. */
export default async function CommentsPage({ params, searchParams }: CommentsRequest) {
  const { project, viewer, role } = await openProject((await params).project)
  const asked = await searchParams
  const state = commentStates.find((one) => one === asked.show) ?? 'waiting'
  const page = Math.max(1, Math.trunc(Number(asked.page)) || 1)
  const { comments } = getProduct()
  const listed = await reading(async () => ({
    counts: await comments.counts(project.id, viewer),
    rows: await comments.list(project.id, { state, from: (page - 1) * perPage, count: perPage }, viewer),
  }))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, name, timeZone } = project
  const { counts, rows } = listed.found
  return (
    <Page
      title="Comments"
      description="What readers wrote below posts that ask for it. Nobody else reads one before you let it in."
      breadcrumbs={[{ label: name, href: paths.project(slug) }]}
      tabs={<PostTabs slug={slug} current="comments" />}
    >
      <LinkTabs
        label="Which comments"
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
          clock={{ timeZone, now: new Date() }}
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

/** With the post it stands below, where that is still published. */
function rowOf(comment: Comment, projectId: number): CommentRow {
  const { published } = getProduct()
  const post = published.posts(projectId, new Date()).find(({ id }) => id === comment.postId)
  return { comment, post: post && { id: post.id, title: post.title } }
}
