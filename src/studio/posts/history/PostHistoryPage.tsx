import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { PostVersion } from '#posts/history'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { type SearchParams, textOf } from '#studio/search-params'
import { openPost, type PostParams, titleOf } from '../open-post'
import { Difference } from './Difference'
import { VersionList } from './VersionList'
import { clockOf } from '#studio/parts/RelativeTime'

interface PostHistoryPageProps {
  params: PostParams
  searchParams: Promise<SearchParams>
}

export const generateMetadata = ({ params }: PostHistoryPageProps): Promise<Metadata> =>
  titleOf(params, 'History')

/** The versions of a post, with the changes of each, and a button that restores it. */
export async function PostHistoryPage({ params, searchParams }: PostHistoryPageProps) {
  const { project, post, viewer, whyNot } = await openPost(params)
  const versions = await getProduct().posts.history(project.id, post.id, viewer)
  const requestedVersion = textOf((await searchParams)['version'])
  const index =
    requestedVersion === undefined
      ? 0
      : versions.findIndex(({ version }) => String(version) === requestedVersion)
  if (index < 0) notFound()

  const { slug, timeZone } = project
  const shown = versions[index]
  return (
    <Page
      title="History"
      description={`Of “${post.title}”. Any version can be restored; restoring creates a new version.`}
      breadcrumbs={[
        post.kind === 'post'
          ? { label: 'Posts', href: paths.posts(slug) }
          : { label: 'Pages', href: paths.pages(slug) },
        { label: post.title, href: paths.post(slug, post.id) },
      ]}
    >
      {shown ? (
        <div className="grid items-start gap-5 lg:grid-cols-[18rem_minmax(0,1fr)]">
          <VersionList
            slug={slug}
            id={post.id}
            versions={versions.map(withoutPost)}
            current={shown.version}
            clock={clockOf({ timeZone })}
          />
          <Difference
            slug={slug}
            id={post.id}
            shown={shown}
            before={comparedWith(shown, versions.slice(index + 1))}
            isNewest={index === 0}
            isPublished={getProduct().posts.stateOf(post) === 'published'}
            timeZone={timeZone}
            whyNot={whyNot}
          />
        </div>
      ) : (
        <Panel>
          <EmptyMessage title="No history" body="Files have the history of their folder." />
        </Panel>
      )}
    </Page>
  )
}

/** A version that readers saw is compared with what they saw before it; others with the version before. */
const comparedWith = (shown: PostVersion, earlier: readonly PostVersion[]): PostVersion | undefined =>
  earlier.find(({ isUnpublished }) => shown.isUnpublished || !isUnpublished)

const withoutPost = ({ post: _, ...version }: PostVersion) => version
