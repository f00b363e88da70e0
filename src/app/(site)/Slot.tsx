import { mainLanguageOf } from '#posts/languages'
import { readMarkdown } from '#posts/markdown'
import { PostBody } from '#posts/PostBody'
import type { Site } from '#posts/site'
import { liveBlocks } from './live-blocks'
import { translationFor } from './translations'

const textIn = {
  header: ({ headerMarkdown }: Site) => headerMarkdown,
  footer: ({ footerMarkdown }: Site) => footerMarkdown,
}

interface SlotProps {
  place: keyof typeof textIn
  site: Site
}

/** The text that the settings put above the header or the footer of every page, in the language of the site. */
export function Slot({ place, site }: SlotProps) {
  const text = textIn[place](site)
  if (text === '') return null
  const document = readMarkdown(text, { idPrefix: `${place}-`, words: translationFor(site) })
  // the footer is a landmark already
  const Element = place === 'header' ? 'aside' : 'div'
  return (
    <Element className={`${place}-slot`} lang={mainLanguageOf(site)}>
      <PostBody document={document} blocks={liveBlocks} />
    </Element>
  )
}
