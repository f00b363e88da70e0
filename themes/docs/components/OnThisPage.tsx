import type { Heading, Words } from '@tilth/site'

interface OnThisPageProps {
  outline: readonly Heading[]
  words: Words
}

/** The headings of the page: beside it where there is room, folded above it elsewhere. */
export default function OnThisPage({ outline, words }: OnThisPageProps) {
  const headings = outline.filter(({ level }) => level === 2 || level === 3)
  if (headings.length < 2) return null
  return (
    <nav className="docs-toc" aria-label={words.onThisPage}>
      <p>{words.onThisPage}</p>
      <details>
        <summary>{words.onThisPage}</summary>
        <ol>
          {headings.map(({ id, text, level }) => (
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
