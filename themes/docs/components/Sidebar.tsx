import type { Contents, ContentsEntry, Words } from '@tilth/site'
import Versions from './Versions'

interface SidebarProps {
  contents: Contents
  words: Words
}

/** Folded above the page on narrow screens. */
export default function Sidebar({ contents, words }: SidebarProps) {
  return (
    <nav className="docs-nav" aria-label={words.contents}>
      <details>
        <summary>{words.contents}</summary>
        <Versions versions={contents.versions} words={words} />
        <Entries entries={contents.entries} />
      </details>
    </nav>
  )
}

/** A folder is a section with its own list. */
function Entries({ entries }: { entries: readonly ContentsEntry[] }) {
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.address ?? entry.title}>
          <Title entry={entry} />
          {entry.entries.length > 0 && <Entries entries={entry.entries} />}
        </li>
      ))}
    </ul>
  )
}

function Title({ entry: { title, address, isCurrent, entries } }: { entry: ContentsEntry }) {
  const className = entries.length > 0 ? 'docs-section' : undefined
  if (address === undefined) return <span className="docs-section">{title}</span>
  return (
    <a className={className} href={address} aria-current={isCurrent ? 'page' : undefined} dir="auto">
      {title}
    </a>
  )
}
