import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { PostVersion } from '../../../../../../../../posts/history'
import { EmptyMessage } from '../../../../../../../../ui/EmptyMessage'
import { Page } from '../../../../../../../../ui/Page'
import { Panel } from '../../../../../../../../ui/Panel'
import { paths } from '../../../../../../../paths'
import { getProduct } from '../../../../../../../product'
import { type Search, textOf } from '../../../people/question'
import { openPost, type PostParams, titleOf } from '../../open-post'
import { Difference } from './Difference'
import { VersionList } from './VersionList'

interface HistoryPageProps {
  params: PostParams
  searchParams: Promise<Search>
}

export const generateMetadata = ({ params }: HistoryPageProps): Promise<Metadata> =>
  titleOf(params, 'History')

/** Everything a post ever said, what each version changed, and the way back to it. */
export default async function HistoryPage({ params, searchParams }: HistoryPageProps) {
  const { project, post, viewer, whyNot } = await openPost(params)
  const versions = await getProduct().posts.history(project.id, post.id, viewer)
  const asked = textOf((await searchParams)['version'])
  const place = asked === undefined ? 0 : versions.findIndex(({ version }) => String(version) === asked)
  if (place < 0) notFound()

  const { slug, timeZone } = project
  const shown = versions[place]
  return (
    <Page
      title="History"
      description={`Of “${post.title}”. Every version can be brought back; nothing in between is lost.`}
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
            clock={{ now: new Date(), timeZone }}
          />
          <Difference
            slug={slug}
            id={post.id}
            shown={shown}
            before={versions[place + 1]}
            isNewest={place === 0}
            timeZone={timeZone}
            whyNot={whyNot}
          />
        </div>
      ) : (
        <Panel>
          <EmptyMessage title="It has no history here" body="What is a file has the history of its folder." />
        </Panel>
      )}
    </Page>
  )
}

const withoutPost = ({ version, by, at, note }: PostVersion) => ({ version, by, at, note })
