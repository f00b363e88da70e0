import type { Picture } from '../../../../../../../posts/post'
import type { PreviewLook } from '../PreviewSheet'

/** What an editor is shown around the post itself. */
export interface EditorGround {
  slug: string
  timeZone: string
  /** Of the site: 'https://example.com'. */
  origin: string
  siteName: string
  /** Of what is previewed. */
  look: PreviewLook
  /** Those that are used already, to choose from. */
  tags: readonly string[]
  series: readonly string[]
  authors: readonly { slug: string; name: string; picture: Picture | undefined }[]
}
