import { searchPage } from './blog-list'
import { translationFor } from './translations'

/** A form like any other, so that it works before and without every script. */
export function SearchForm({ language, asked: searchText = '' }: { language: string; asked?: string }) {
  const words = translationFor(language)
  return (
    <search>
      <form className="search" action={searchPage}>
        <label htmlFor="q" className="unseen">
          {words.searchFor}
        </label>
        <input
          id="q"
          name="q"
          type="search"
          defaultValue={searchText}
          placeholder={words.searchFor}
          maxLength={200}
          dir="auto"
        />
        <button type="submit">{words.search}</button>
      </form>
    </search>
  )
}
