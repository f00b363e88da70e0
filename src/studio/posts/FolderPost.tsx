import { FolderGit2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { addressOf, type Post } from '#posts/post'
import { readMarkdown } from '#posts/markdown'
import { PostBody } from '#posts/PostBody'
import { Badge } from '#ui/Badge'
import { DescriptionList } from '#ui/DescriptionList'
import { dateTime } from '#ui/format'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Notice } from '#ui/page/Notice'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { type PostPanel, paths } from '#studio/paths'
import type { PostEditorContext } from './editor/editor-context'
import { previewBlocks } from './preview-blocks'
import { PreviewSheet } from './PreviewSheet'

interface FolderPostProps {
  post: Post
  panel: PostPanel | undefined
  context: PostEditorContext
  children: ReactNode
}

/** A post from a file of the site's owners: it is read here, and written there. */
export function FolderPost({ post, panel, context, children }: FolderPostProps) {
  const { slug, siteRoot } = context
  const isRead = panel !== 'readers'
  const document = readMarkdown(post.body)
  return (
    <Page
      title={post.title}
      badge={<Badge icon={<Icon of={FolderGit2} size="sm" />}>Folder</Badge>}
      breadcrumbs={[
        post.kind === 'post'
          ? { label: 'Posts', href: paths.posts(slug) }
          : { label: 'Pages', href: paths.pages(slug) },
      ]}
      actions={
        post.publishedAt &&
        siteRoot !== undefined && (
          <LinkButton href={`${siteRoot}${addressOf(post)}`} target="_blank" rel="noopener">
            View
          </LinkButton>
        )
      }
      tabs={
        <LinkTabs
          label="View"
          tabs={[
            { label: 'Preview', href: paths.post(slug, post.id), current: isRead },
            { label: 'Readers', href: paths.post(slug, post.id, { panel: 'readers' }), current: !isRead },
          ]}
        />
      }
    >
      <Notice title={`From the file ${fileOf(post)}`}>
        Edit the file: changes appear immediately. Its history is that of the folder.
      </Notice>
      {isRead ? (
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <PreviewSheet look={context.previewTheme}>
            <PostBody document={document} blocks={previewBlocks} />
          </PreviewSheet>
          <Panel title="File details">
            <DescriptionList facts={factsOf(post, context)} />
          </Panel>
        </div>
      ) : (
        children
      )}
    </Page>
  )
}

const fileOf = ({ id }: Post): string => id.replace(/^file:/, '')

function factsOf(post: Post, { timeZone }: PostEditorContext) {
  const { excerpt, tags, authors, series, publishedAt } = post
  return [
    { term: 'URL', value: addressOf(post) },
    { term: 'Published', value: publishedAt ? dateTime(publishedAt, timeZone) : 'Not yet' },
    { term: 'Excerpt', value: excerpt || 'Beginning of the text' },
    { term: 'Tags', value: tags.join(', ') || 'None' },
    { term: 'Authors', value: authors.join(', ') || 'None' },
    ...(series === undefined ? [] : [{ term: 'Series', value: series }]),
  ]
}
