import { type Alternate, isSameLanguage, nameOfLanguage } from '#posts/languages'
import type { Site } from '#posts/site'
import { translationFor } from './translations'

interface LanguagesProps {
  alternates: readonly Alternate[]
  site: Site
}

/** Links to the page in its other languages, each named in itself. */
export function Languages({ alternates, site }: LanguagesProps) {
  if (alternates.length === 0) return null
  return (
    <nav className="languages" aria-label={translationFor(site).languages}>
      <ul>
        {alternates.map(({ language, address }) => (
          <li key={language}>
            <a
              href={address}
              lang={language}
              hrefLang={language}
              aria-current={isSameLanguage(language, site.language) ? 'true' : undefined}
            >
              {nameOfLanguage(language)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
