import type { PostDocument } from '#posts/markdown'
import { translationFor } from './translations'

interface OutlineProps {
  document: PostDocument
  language: string
}

/** Shorter posts are seen at a glance. */
const minWords = 700
const minHeadings = 3

/** Beside the text where there is room, and folded up above it where there is none. */
export function Outline({ document: { outline, words: length }, language }: OutlineProps) {
  const parts = outline.filter(({ level }) => level <= 3)
  if (length < minWords || parts.length < minHeadings) return null

  return (
    <nav className="outline" aria-label={translationFor(language).onThisPage}>
      <details>
        <summary>{translationFor(language).onThisPage}</summary>
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
