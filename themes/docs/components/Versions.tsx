import type { Contents, Words } from '@tilth/site'

interface VersionsProps {
  versions: Contents['versions']
  words: Words
}

/** Links to this page in the other versions. */
export default function Versions({ versions, words }: VersionsProps) {
  if (versions.length < 2) return null
  return (
    <div className="docs-versions">
      <span id="docs-versions">{words.version}</span>
      <ul aria-labelledby="docs-versions">
        {versions.map(({ name, address, isCurrent }) => (
          <li key={name}>
            <a href={address} aria-current={isCurrent ? 'true' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
