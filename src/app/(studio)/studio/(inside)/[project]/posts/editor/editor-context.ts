import type { Picture } from '#posts/post'
import type { PreviewTheme } from '../PreviewSheet'

/** What an editor is shown around the post itself. */
export interface PostEditorContext {
  slug: string
  timeZone: string
  /** Of the site: 'https://example.com'. */
  origin: string
  siteName: string
  /** Of what is previewed. */
  previewTheme: PreviewTheme
  /** Those that are used already, to choose from. */
  tags: readonly string[]
  series: readonly string[]
  authors: readonly { slug: string; name: string; picture: Picture | undefined }[]
}
