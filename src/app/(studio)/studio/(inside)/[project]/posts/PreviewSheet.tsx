import type { CSSProperties, ReactNode } from 'react'
import type { SiteSettings } from '#posts/site'
import { accentsOf, pageBackgrounds } from '#app/(site)/theme'
import './preview.css'

export type PreviewTheme = Pick<SiteSettings, 'accent' | 'accentDark' | 'typeface'>

const page = `light-dark(${pageBackgrounds.light}, ${pageBackgrounds.dark})`

// React's types do not know properties of our own
const propertiesOf = (own: Record<`--${string}`, string>) => own as CSSProperties

const backgroundProperties = { background: page, ...propertiesOf({ '--site-page': page }) }

/** A sheet to see a post on, in the colour and the typeface of its site. */
export function PreviewSheet({ look: theme, children }: { look: PreviewTheme; children: ReactNode }) {
  const { light, dark } = accentsOf(theme)
  return (
    <article
      aria-label="Preview"
      dir="auto"
      data-typeface={theme.typeface}
      style={{
        ...backgroundProperties,
        ...propertiesOf({ '--site-accent': `light-dark(${light}, ${dark})` }),
      }}
      className="post-preview min-w-0 rounded-lg border border-line px-5 py-6"
    >
      {children}
    </article>
  )
}
