import type { PostDocument } from '#posts/markdown'
import type { Site } from '#posts/site'
import { type TranslatedSite, translationFor } from './translations'

interface OutlineProps {
  document: PostDocument
  site: TranslatedSite & Pick<Site, 'showsContents'>
}

/** Shorter posts are seen at a glance. */
const minWords = 700
const minHeadings = 3

/** Beside the text where there is room, and folded up above it where there is none. */
export function Outline({ document: { outline, words: length }, site }: OutlineProps) {
  const parts = outline.filter(({ level }) => level <= 3)
  if (!site.showsContents || length < minWords || parts.length < minHeadings) return null

  return (
    <nav className="outline" aria-label={translationFor(site).onThisPage}>
      <details>
        <summary>{translationFor(site).onThisPage}</summary>
        <ol>
          {parts.map(({ id, text, level }) => (
            <li key={id} data-level={level}>
              <a href={`#${id}`} dir="auto">
                {text}
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  )
}
