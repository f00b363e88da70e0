import type { PostDocument } from '#posts/markdown'
import type { Post } from '#posts/post'
import { PostBody } from '#posts/PostBody'
import { shownPictures } from '#posts/shown-pictures'
import { liveBlocks } from '../live-blocks'
import { KitHtml } from './KitHtml'
import { KitProblems } from './KitProblems'
import { currentManifest, problemForTeam, renderKit } from './render-kit'

interface PostTextProps {
  post: Pick<Post, 'id' | 'picturesBeside'>
  document: Pick<PostDocument, 'tree'>
  hasTitle?: boolean
}

/** The text of a post or page. One in MDX is rendered with the components of the site folder, or else without them. */
export async function PostText({ post, document, hasTitle = false }: PostTextProps) {
  const file = mdxFileOf(post)
  const outcome = file === undefined ? undefined : await renderMdx(file, { post, document, hasTitle })
  if (!outcome?.done) {
    const problem = file === undefined || !outcome ? undefined : problemForTeam(file, outcome)
    return (
      <>
        <PostBody document={document} blocks={liveBlocks} hasTitle={hasTitle} />
        {problem && <KitProblems problems={[problem]} />}
      </>
    )
  }
  return (
    <div className="prose" dir="auto">
      <KitHtml rendered={outcome.rendered} />
    </div>
  )
}

const renderMdx = (file: string, { post, document, hasTitle }: PostTextProps) =>
  renderKit({ file, prefix: 'b', props: { hasTitle, pictures: shownPictures(post, document) } })

/** Posts of the folder have the paths of their files as ids. */
const mdxFileOf = ({ id }: Pick<Post, 'id'>): string | undefined =>
  currentManifest()?.mdx.find((file) => id === `file:${file}`)
