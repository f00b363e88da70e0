import type { PostDocument } from '../../posts/markdown'
import { wordsIn } from './words'

interface OutlineProps {
  document: PostDocument
  language: string
}

/** Shorter posts are seen at a glance. */
const fewestWords = 700
const fewestHeadings = 3

/** Beside the text where there is room, and folded up above it where there is none. */
export function Outline({ document: { outline, words: length }, language }: OutlineProps) {
  const parts = outline.filter(({ level }) => level <= 3)
  if (length < fewestWords || parts.length < fewestHeadings) return null

  return (
    <nav className="outline" aria-label={wordsIn(language).onThisPage}>
      <details>
        <summary>{wordsIn(language).onThisPage}</summary>
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
