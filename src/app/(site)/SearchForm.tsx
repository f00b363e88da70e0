import { searchPage } from './blog-list'
import { wordsIn } from './words'

/** A form like any other, so that it works before and without every script. */
export function SearchForm({ language, asked = '' }: { language: string; asked?: string }) {
  const words = wordsIn(language)
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
          defaultValue={asked}
          placeholder={words.searchFor}
          maxLength={200}
          dir="auto"
        />
        <button type="submit">{words.search}</button>
      </form>
    </search>
  )
}
