import { FilePlus2, Newspaper, PanelsTopLeft } from 'lucide-react'
import { Suspense } from 'react'
import type { Post } from '#posts/post'
import type { PostListFilter } from '#posts/posts'
import type { Published } from '#posts/published/published'
import type { Viewer } from '#projects/access'
import { Anchor } from '#ui/Anchor'
import { CodeBlock } from '#ui/copy/CodeBlock'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Notice } from '#ui/page/Notice'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getKit, getProduct } from '#studio/product'
import { problemText } from '#site-kit/kit-manifest'
import { NotAllowed } from '#studio/parts/NotAllowed'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead, tryEngine } from '#studio/parts/refusals'
import type { SearchParams } from '#studio/search-params'
import { clockOf } from '#studio/parts/RelativeTime'
import { PostFilters } from './PostFilters'
import { PostsTable, type ReaderNumbers } from './PostsTable'
import { PostTabs } from './PostTabs'
import { countsOf, inState, postsFilterIn } from './list-filter'
import { siteRootFor } from './site-root'
import { SiteLink } from './SiteLink'

const kindTexts = {
  post: {
    title: 'Posts',
    tab: 'posts',
    create: 'New post',
    empty: 'No posts yet',
    teaches:
      'Write posts here or as Markdown files in a folder. Feeds are built in, and readers are counted without a script.',
  },
  page: {
    title: 'Pages',
    tab: 'pages',
    create: 'New page',
    empty: 'No pages yet',
    teaches:
      'Pages have their own URL: home, about, pricing. Write them like posts, with blocks for features and prices.',
  },
} as const

interface PostsPageProps {
  kind: Post['kind']
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

/** Lists all posts, or all pages, with their states. */
export async function PostsPage({ kind, params, searchParams }: PostsPageProps) {
  const { project, viewer, role } = await openProject((await params).project)
  const filter = postsFilterIn(await searchParams)
  const { search, tag, state } = filter
  const listed = await tryRead(() => everyPost(project.id, viewer, { kind }))
  if (!listed.allowed) return <NotAllowed why={listed.why} />

  const { slug, name, timeZone } = project
  const { sites } = getProduct().posts
  const site = await sites.read(project.id, viewer)
  const origin = siteRootFor(site, slug)
  const { title, tab, create } = kindTexts[kind]
  const found = search || tag ? await everyPost(project.id, viewer, { kind, search, tag }) : listed.found
  const clock = clockOf({ timeZone })
  const posts = inState(found, state, clock.now)
  const table = { slug, clock, posts, origin, whyNot: whyNot('posts:write', role) }
  return (
    <Page
      title={title}
      breadcrumbs={[{ label: name, href: paths.project(slug) }]}
      tabs={<PostTabs slug={slug} current={tab} />}
      actions={
        <>
          <SiteLink origin={origin} />
          {kind === 'post' && (
            <>
              <LinkButton href={paths.images(slug)}>Images</LinkButton>
              <LinkButton href={paths.authors(slug)}>Authors</LinkButton>
            </>
          )}
          <LinkButton href={newPath(slug, kind)} variant="primary" icon={<Icon of={FilePlus2} />}>
            {create}
          </LinkButton>
        </>
      }
    >
      {listed.found.length === 0 ? (
        <NoPosts slug={slug} kind={kind} />
      ) : (
        <>
          {site.isOn && site.origin !== '' && origin === undefined && (
            <SiteElsewhere slug={slug} origin={site.origin} />
          )}
          <Problems problems={folderProblems(project.id)} />
          <PostFilters
            slug={slug}
            kind={kind}
            filter={filter}
            counts={countsOf(found, clock.now)}
            tags={[...new Set(listed.found.flatMap(({ tags }) => tags))].toSorted()}
          />
          <Panel flush>
            <Suspense key={JSON.stringify(filter)} fallback={<PostsTable {...table} readers={undefined} />}>
              <PostsWithReaders table={table} readers={readersByPost(project.id, viewer)} />
            </Suspense>
          </Panel>
        </>
      )}
    </Page>
  )
}

/** Archived posts are included only if the filter asks for them. */
async function everyPost(projectId: number, viewer: Viewer, filter: PostListFilter): Promise<Post[]> {
  const { posts } = getProduct()
  const [shown, archived] = await Promise.all([
    posts.list(projectId, viewer, filter),
    posts.list(projectId, viewer, { ...filter, state: 'archived' }),
  ])
  return [...shown, ...archived]
}

/** Says why nothing here has a link to the site: its address shows another project's. */
const SiteElsewhere = ({ slug, origin }: { slug: string; origin: string }) => (
  <Notice title="Visitors cannot open this site yet">
    {origin} shows another project’s site. Give this one a URL of its own under{' '}
    <Anchor href={paths.siteSettings(slug)}>Design</Anchor>. Until then the preview in the editor shows its
    posts and pages.
  </Notice>
)

/** Mistakes in the site folder, those of its build included. One in an MDX file is found by both. */
function folderProblems(projectId: number): readonly PostProblemRow[] {
  const ofPosts = getProduct().posts.published.problems(projectId)
  const kit = getKit()
  const ofBuild = kit.projectId() === projectId ? kit.renderer.shown.problems : []
  const known = new Set(ofPosts.map(({ id }) => id))
  return [
    ...ofPosts,
    ...ofBuild
      .map(({ file = '', ...problem }) => ({ id: `file:${file}`, message: problemText(problem) }))
      .filter(({ id }) => !known.has(id)),
  ]
}

/** Lists unreadable files and conflicting addresses. */
function Problems({ problems }: { problems: readonly PostProblemRow[] }) {
  if (problems.length === 0) return null
  return (
    <Notice
      tone="warning"
      title={problems.length === 1 ? '1 is not published' : `${problems.length} are not published`}
    >
      <ul className="list-disc pl-4">
        {problems.slice(0, shownProblems).map(({ id, message }) => (
          <li key={id} className="wrap-anywhere">
            {id.startsWith('file:') && <span className="font-mono text-xs">{id.slice('file:'.length)} </span>}
            {message}
          </li>
        ))}
        {problems.length > shownProblems && <li>and {problems.length - shownProblems} more</li>}
      </ul>
    </Notice>
  )
}

type PostProblemRow = ReturnType<Published['problems']>[number]

const shownProblems = 8

const newPath = (slug: string, kind: Post['kind']) => paths.newPost(slug, kind === 'page' ? { kind } : {})

type PostsSectionProps = Parameters<typeof PostsTable>[0]

async function PostsWithReaders({
  table,
  readers,
}: {
  table: Omit<PostsSectionProps, 'readers'>
  readers: Promise<NonNullable<PostsSectionProps['readers']>>
}) {
  return <PostsTable {...table} readers={await readers} />
}

function NoPosts({ slug, kind }: { slug: string; kind: Post['kind'] }) {
  const { empty, teaches, create } = kindTexts[kind]
  return (
    <Panel>
      <div className="grid items-center gap-x-8 lg:grid-cols-2">
        <EmptyMessage
          icon={<Icon of={kind === 'post' ? Newspaper : PanelsTopLeft} size="lg" />}
          title={empty}
          body={teaches}
          action={
            <>
              <LinkButton href={newPath(slug, kind)} variant="primary">
                {create}
              </LinkButton>
              <LinkButton href={paths.siteSettings(slug)}>Set up site</LinkButton>
            </>
          }
        />
        <div className="pb-6 lg:py-6">
          <CodeBlock
            title={`Or a file in a folder: ${kind}s/hello.md`}
            language="Markdown"
            code={example[kind]}
          />
        </div>
      </div>
    </Panel>
  )
}

const example = {
  post: `---
title: Hello
date: 2026-03-02
tags: [news]
---

The first of **many**.`,
  page: `---
title: About
---

Who we are, and what we make.`,
}

/** Readers of each published post in the last 30 days; 'unknown' while the engine is unavailable. */
async function readersByPost(projectId: number, viewer: Viewer): Promise<ReaderNumbers | 'unknown'> {
  const { numbers: postNumbers } = getProduct().posts
  const answer = await tryEngine(() => postNumbers.list(projectId, '30d', viewer))
  return answer.done ? answer.readers : 'unknown'
}
