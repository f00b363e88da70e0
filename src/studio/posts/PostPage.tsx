import type { Metadata } from 'next'
import { Suspense } from 'react'
import { localTime } from '#insights/calendar/local-time'
import { readMarkdown } from '#posts/markdown'
import { type Post, stateOf } from '#posts/post'
import { withUnpublished } from '#posts/unpublished'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import type { PostPanel } from '#studio/paths'
import { whyNot } from '#studio/parts/open-project'
import { getProduct } from '#studio/product'
import { siteRootFor } from './site-root'
import type { SearchParams } from '#studio/search-params'
import type { NewsletterChoice, PostEditorContext } from './editor/editor-context'
import { PostEditor } from './editor/PostEditor'
import { FolderPost } from './FolderPost'
import { HeadlinesPanel } from './headlines/HeadlinesPanel'
import { type OpenedPost, openPost, type PostParams, titleOf } from './open-post'
import { postParametersIn } from './list-filter'
import { ReadersPanel } from './readers/ReadersPanel'

interface PostPageProps {
  params: PostParams
  searchParams: Promise<SearchParams>
}

export const generateMetadata = ({ params }: PostPageProps): Promise<Metadata> => titleOf(params)

/** A post or a page: written here, or shown as its file says it. */
export async function PostPage({ params, searchParams }: PostPageProps) {
  const opened = await openPost(params)
  const parameters = postParametersIn(await searchParams)
  const context = await editorContextOf(opened)
  const panel = panelOf(opened.post, parameters.panel)
  const beside = (
    <Suspense key={JSON.stringify(parameters)} fallback={<Waiting />}>
      {panel === 'readers' && <ReadersPanel opened={opened} parameters={parameters} />}
      {panel === 'headlines' && <HeadlinesPanel opened={opened} />}
    </Suspense>
  )
  const { post, project } = opened
  if (post.source === 'folder')
    return (
      <FolderPost post={post} panel={panel} context={context}>
        {beside}
      </FolderPost>
    )

  const now = new Date()
  return (
    <PostEditor
      key={post.id}
      post={post}
      panel={panel}
      context={context}
      now={now}
      planned={stateOf(post, now) === 'scheduled' ? clockTime(post.publishedAt, project.timeZone) : ''}
      beginning={readMarkdown(withUnpublished(post).body).opening}
      whyNot={opened.whyNot}
    >
      {beside}
    </PostEditor>
  )
}

/** Pages are in no list, so nothing is tried on them; what a file says is not set here. */
function panelOf({ kind, source }: Post, requestedPanel: PostPanel | undefined): PostPanel | undefined {
  if (requestedPanel === 'headlines' && (kind === 'page' || source === 'folder')) return undefined
  return requestedPanel === 'settings' && source === 'folder' ? undefined : requestedPanel
}

function clockTime(at: Date | undefined, timeZone: string): string {
  if (!at) return ''
  const { day, time } = localTime(at, timeZone)
  return `${day}T${time}`
}

async function editorContextOf(opened: OpenedPost): Promise<PostEditorContext> {
  const { project, viewer } = opened
  const { published, authors, sites } = getProduct().posts
  const all = published.posts(project.id, new Date())
  const [writers, site, newsletter] = await Promise.all([
    authors.list(project.id, viewer),
    sites.read(project.id, viewer),
    newsletterChoiceOf(opened),
  ])
  return {
    slug: project.slug,
    timeZone: project.timeZone,
    origin: site.origin,
    siteRoot: siteRootFor(site, project.slug),
    siteName: site.name,
    previewTheme: { accent: site.accent, accentDark: site.accentDark, typeface: site.typeface },
    tags: [...new Set(all.flatMap(({ tags }) => tags))].toSorted(),
    series: [...new Set(all.flatMap(({ series }) => series ?? []))].toSorted(),
    newsletter,
    authors: writers.map(({ slug, name, picture }) => ({ slug, name, picture })),
  }
}

async function newsletterChoiceOf({ project, viewer, role }: OpenedPost): Promise<NewsletterChoice> {
  const { letters, alerts } = getProduct()
  const [lists, { postalAddress }] = await Promise.all([
    letters.subscriptions.lists(project.id, viewer),
    letters.subscriptions.settings(project.id, viewer),
  ])
  return {
    lists: lists.map(({ key, name, counts: { confirmed } }) => ({ key, name, confirmed })),
    whyNot:
      whyNot('letters:write', role) ??
      whyNotReady({
        canMail: alerts.canMail,
        postalAddress,
        subscribers: lists.map(({ counts }) => counts.confirmed),
      }),
  }
}

function whyNotReady(newsletter: {
  canMail: boolean
  postalAddress: string
  subscribers: readonly number[]
}): string | undefined {
  if (!newsletter.canMail) return 'E-mail isn’t set up.'
  if (newsletter.postalAddress === '') return 'Add a postal address first: Site → Newsletter → Settings.'
  return newsletter.subscribers.some((count) => count > 0) ? undefined : 'No subscribers yet.'
}

function Waiting() {
  return (
    <Loading label="Asking">
      <Skeleton className="h-80 w-full" />
    </Loading>
  )
}
