import type { Site } from '#posts/site'
import { searchPage } from './blog-list'
import { OmittedPart } from './OmittedPart'
import { type TranslatedSite, translationFor } from './translations'

interface SearchFormProps {
  site: TranslatedSite & Pick<Site, 'staticServer'>
  asked?: string
}

/** A form like any other, so that it works before and without every script. */
export function SearchForm({ site, asked: searchText = '' }: SearchFormProps) {
  if (site.staticServer !== undefined) return <OmittedPart of="searching" />
  const words = translationFor(site)
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
