import type { CSSProperties, ReactNode } from 'react'
import type { SiteSettings } from '#posts/site'
import { accentsOf, pageBackgrounds } from '#posts/site-accents'
import './preview.css'

export type PreviewTheme = Pick<SiteSettings, 'accent' | 'accentDark' | 'typeface'>

const page = `light-dark(${pageBackgrounds.light}, ${pageBackgrounds.dark})`

// React's types do not know properties of our own
const propertiesOf = (own: Record<`--${string}`, string>) => own as CSSProperties

const backgroundProperties = { background: page, ...propertiesOf({ '--site-page': page }) }

/** The properties that give text the site's look, for the element around it. */
export function previewProps(theme: PreviewTheme) {
  const { light, dark } = accentsOf(theme)
  return {
    'data-typeface': theme.typeface,
    style: {
      ...backgroundProperties,
      ...propertiesOf({ '--site-accent': `light-dark(${light}, ${dark})` }),
    },
  }
}

/** A sheet to see a post on, in the colour and the typeface of its site. */
export const PreviewSheet = ({ look: theme, children }: { look: PreviewTheme; children: ReactNode }) => (
  <article
    aria-label="Preview"
    dir="auto"
    {...previewProps(theme)}
    className="post-preview min-w-0 rounded-lg border border-line px-5 py-6"
  >
    {children}
  </article>
)
