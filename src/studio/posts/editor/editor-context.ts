import type { Picture } from '#posts/post'
import type { PreviewTheme } from '../PreviewSheet'

/** The lists that a post can be sent to when it is published, or the reason why it cannot be sent. */
export interface NewsletterChoice {
  lists: readonly { key: string; name: string; confirmed: number }[]
  whyNot: string | undefined
}

/** The context of an editor besides the post itself. */
export interface PostEditorContext {
  slug: string
  timeZone: string
  /** The origin of the site: 'https://example.com'. */
  origin: string
  /** The address below which a member opens the pages of the site. */
  siteRoot: string | undefined
  siteName: string
  /** The theme of the preview. */
  previewTheme: PreviewTheme
  /** The values that other posts use, to choose from. */
  tags: readonly string[]
  series: readonly string[]
  newsletter: NewsletterChoice
  authors: readonly { slug: string; name: string; picture: Picture | undefined }[]
}
