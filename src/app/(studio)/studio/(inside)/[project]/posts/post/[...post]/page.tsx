import type { Metadata } from 'next'
import { Suspense } from 'react'
import { localTime } from '../../../../../../../../insights/local-time'
import { readMarkdown } from '../../../../../../../../posts/markdown'
import { type Post, stateOf } from '../../../../../../../../posts/post'
import { Loading, Skeleton } from '../../../../../../../../ui/Skeleton'
import type { PostPanel } from '../../../../../../../paths'
import { getProduct } from '../../../../../../../product'
import type { Search } from '../../../people/question'
import type { EditorGround } from '../../editor/ground'
import { PostEditor } from '../../editor/PostEditor'
import { FolderPost } from '../../FolderPost'
import { HeadlinesPanel } from '../../headlines/HeadlinesPanel'
import { type OpenedPost, openPost, type PostParams, titleOf } from '../../open-post'
import { postQuestionIn } from '../../question'
import { ReadersPanel } from '../../readers/ReadersPanel'

interface PostPageProps {
  params: PostParams
  searchParams: Promise<Search>
}

export const generateMetadata = ({ params }: PostPageProps): Promise<Metadata> => titleOf(params)

/** A post or a page: written here, or shown as its file says it. */
export default async function PostPage({ params, searchParams }: PostPageProps) {
  const opened = await openPost(params)
  const question = postQuestionIn(await searchParams)
  const ground = await groundOf(opened)
  const panel = panelOf(opened.post, question.panel)
  const beside = (
    <Suspense key={JSON.stringify(question)} fallback={<Waiting />}>
      {panel === 'readers' && <ReadersPanel opened={opened} question={question} />}
      {panel === 'headlines' && <HeadlinesPanel opened={opened} />}
    </Suspense>
  )
  const { post, project } = opened
  if (post.source === 'folder')
    return (
      <FolderPost post={post} panel={panel} ground={ground}>
        {beside}
      </FolderPost>
    )

  const now = new Date()
  return (
    <PostEditor
      key={post.id}
      post={post}
      panel={panel}
      ground={ground}
      now={now}
      planned={stateOf(post, now) === 'scheduled' ? clockTime(post.publishedAt, project.timeZone) : ''}
      beginning={readMarkdown(post.body).beginning}
      whyNot={opened.whyNot}
    >
      {beside}
    </PostEditor>
  )
}

/** Pages are in no list, so nothing is tried on them; what a file says is not set here. */
function panelOf({ kind, source }: Post, asked: PostPanel | undefined): PostPanel | undefined {
  if (asked === 'headlines' && (kind === 'page' || source === 'folder')) return undefined
  return asked === 'settings' && source === 'folder' ? undefined : asked
}

function clockTime(at: Date | undefined, timeZone: string): string {
  if (!at) return ''
  const { day, time } = localTime(at, timeZone)
  return `${day}T${time}`
}

async function groundOf({ project, viewer }: OpenedPost): Promise<EditorGround> {
  const { published, authors, sites } = getProduct()
  const all = published.posts(project.id, new Date())
  const [writers, site] = await Promise.all([
    authors.list(project.id, viewer),
    sites.read(project.id, viewer),
  ])
  return {
    slug: project.slug,
    timeZone: project.timeZone,
    origin: site.origin,
    siteName: site.name,
    look: { accent: site.accent, accentDark: site.accentDark, typeface: site.typeface },
    tags: [...new Set(all.flatMap(({ tags }) => tags))].toSorted(),
    series: [...new Set(all.flatMap(({ series }) => series ?? []))].toSorted(),
    authors: writers.map(({ slug, name, picture }) => ({ slug, name, picture })),
  }
}

function Waiting() {
  return (
    <Loading label="Asking">
      <Skeleton className="h-80 w-full" />
    </Loading>
  )
}
