import type { Words } from '@tilth/site'

export default function SearchBox({ words }: { words: Words }) {
  return (
    <search>
      <form action="/blog/search" className="docs-search">
        <input type="search" name="q" aria-label={words.searchFor} placeholder={words.search} />
      </form>
    </search>
  )
}
