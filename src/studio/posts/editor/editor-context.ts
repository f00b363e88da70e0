import type { Picture } from '#posts/post'
import type { PreviewTheme } from '../PreviewSheet'

/** The context of an editor besides the post itself. */
export interface PostEditorContext {
  slug: string
  timeZone: string
  /** The origin of the site: 'https://example.com'. */
  origin: string
  /** The origin at which a browser can open the site. */
  openableOrigin: string | undefined
  siteName: string
  /** The theme of the preview. */
  previewTheme: PreviewTheme
  /** The values that other posts use, to choose from. */
  tags: readonly string[]
  series: readonly string[]
  authors: readonly { slug: string; name: string; picture: Picture | undefined }[]
}
